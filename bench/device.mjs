// A process of its own for each emulated device that is measured: `fork` it with a target and DOORBELL_WORKERS, send it a kernel's name,
// then 'launch' as often as wanted; it answers each message with one of its own.
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { openDevice } from '@doorbell/runtime';
import { codeObject, prepareCase } from './kernels/cases.mjs';

const [, , target] = process.argv;
const device = await openDevice({ backend: 'emulated', isa: target });
const module = await device.load(codeObject(3, target));
let ready;

/**
 * Long enough for optimised code to come from its thread and for the engine's own second compiler, by the clock and in processor time:
 * where the machine does other things, the compilers get little of it.
 */
const WARM_UP_MS = 700;
const WARM_UP_CPU_MS = 1000;

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}

const orders = {
  /** Allocates a kernel's buffers and runs it until the code has all its optimisations. */
  async prepare(kernel) {
    ready?.dispose();
    ready = await prepareCase(device, module, kernel, 'L');
    const [end, cpuEnd] = [performance.now() + WARM_UP_MS, processorMs() + WARM_UP_CPU_MS];
    do {
      await ready.reset();
      await ready.launch();
    } while (performance.now() < end || processorMs() < cpuEnd);
    return {};
  },
  /**
   * Milliseconds: by the device's clock, and of processor time in all threads of the process. Each is at least what the threads that run
   * the kernel need on one processor, if there is one of them.
   */
  async launch() {
    await ready.reset();
    const before = processorMs();
    const { durationNs } = await ready.launch();
    return { ms: durationNs / 1e6, cpuMs: processorMs() - before };
  },
  /** Whether the last launch's result is right. */
  async check() {
    const { ok } = await ready.check();
    return { ok };
  },
};

process.on('message', ({ order, argument }) => {
  orders[order](argument).then(
    (answer) => process.send(answer),
    (error) => process.send({ error: String(error.message ?? error) }),
  );
});
process.send({ ok: true });
