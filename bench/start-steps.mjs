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
const buffers = ['a', 'b', 'c'].map((label) => device.alloc('f32', n, { pool: 'gtt', label }));
const [a, b, c] = buffers.map((buffer) => buffer.view());
fill();
mark('inputs made');
const launch = vadd.launch({ grid: n, workgroup: 256, args: { a: buffers[0], b: buffers[1], c: buffers[2], n } });
mark('dispatch sent');
const { durationNs } = await launch;
mark(`kernel done (itself ${(durationNs / 1e6).toFixed(0)} ms)`);
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
