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

/** Long enough for optimised code to come from its thread and for the engine's own second compiler. */
const WARM_UP_MS = 700;

const orders = {
  /** Allocates a kernel's buffers, says whether a first launch's result is right, and runs it until the code has all its optimisations. */
  async prepare(kernel) {
    ready?.dispose();
    ready = await prepareCase(device, module, kernel, 'L');
    await ready.launch();
    const { ok } = await ready.check();
    for (const end = performance.now() + WARM_UP_MS; performance.now() < end; ) {
      await ready.reset();
      await ready.launch();
    }
    return { ok };
  },
  /** Milliseconds: by the device's clock, and of processor time in all threads of the process. */
  async launch() {
    await ready.reset();
    const before = process.cpuUsage();
    const { durationNs } = await ready.launch();
    const { user, system } = process.cpuUsage(before);
    return { ms: durationNs / 1e6, cpuMs: (user + system) / 1e3 };
  },
};

process.on('message', ({ order, argument }) => {
  orders[order](argument).then(
    (answer) => process.send(answer),
    (error) => process.send({ error: String(error.message ?? error) }),
  );
});
process.send({ ok: true });
