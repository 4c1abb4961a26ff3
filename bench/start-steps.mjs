// What vector-add does, step by step: prints one line of JSON, [step, milliseconds since the process began, milliseconds of processor time
// of all threads] for each. Run by start.mjs.
const steps = [];
const mark = (step) => {
  const { user, system } = process.cpuUsage();
  steps.push([step, performance.now(), (user + system) / 1e3]);
};
const n = 1 << 20;

mark('Node');
const { openDevice, read, write } = await import('@doorbell/runtime');
mark('modules');
const device = await openDevice();
mark('device open');
const module = await device.load(new URL('../apps/vector-add/vadd.bundle', import.meta.url));
const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
mark('code object loaded');
const [a, b] = [new Float32Array(n), new Float32Array(n)];
fill();
mark('inputs made');
const buffers = [await device.from(a), await device.from(b), device.alloc('f32', n)];
mark('buffers written');
const launch = vadd.launch({ grid: n, workgroup: 256, args: { a: buffers[0], b: buffers[1], c: buffers[2], n } });
mark('dispatch sent');
const { durationNs } = await launch;
mark(`kernel done (itself ${(durationNs / 1e6).toFixed(0)} ms)`);
const c = await buffers[2].read();
mark('result read');
const isRight = check();
mark(isRight ? 'verified' : 'WRONG');
for (const resource of [...buffers.reverse(), module]) resource[Symbol.dispose]();
await device[Symbol.asyncDispose]();
mark('device closed');
console.log(JSON.stringify(steps));
process.exitCode = isRight ? 0 : 1;

function fill() {
  for (let i = 0; i < n; i++) {
    a[i] = i * 0.5;
    b[i] = n - i;
  }
}

function check() {
  for (let i = 0; i < n; i++) if (c[i] !== Math.fround(a[i] + b[i])) return false;
  return true;
}
