// A process of its own for each emulated device that is measured: `fork` it with a target and DOORBELL_WORKERS, send it a kernel's name,
// then 'launch' as often as wanted; it answers each message with one of its own.
import process from 'node:process';
import { openDevice } from '@doorbell/runtime';
import { codeObject, prepareCase } from './kernels/cases.mjs';

const [, , target] = process.argv;
const device = await openDevice({ backend: 'emulated', isa: target });
const module = await device.load(codeObject(3, target));
let ready;

const orders = {
  /** Allocates a kernel's buffers and runs it until it is compiled; says whether the result is right. */
  async prepare(kernel) {
    ready?.dispose();
    ready = await prepareCase(device, module, kernel, 'L');
    await ready.launch();
    const { ok } = await ready.check();
    await ready.reset();
    await ready.launch();
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
