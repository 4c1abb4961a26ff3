import { isHsaError, openDevice, read, readwrite } from '@doorbell/runtime';

const abort = new AbortController();
process.once('SIGINT', () => abort.abort());
await using device = await openDevice({ signal: abort.signal });
using _ = device.on('progress', (p) => process.stderr.write(`\r${p.kernel} ${p.workgroupsDone}/${p.workgroupsTotal}`));
using module = await device.load('./pipeline.hsaco');
const blur = module.kernel('blur', { src: read('f32'), dst: readwrite('f32'), width: 'u32' });
const norm = module.kernel('normalize', { img: readwrite('f32'), scale: 'f32' });
using src = device.alloc('f32', 1024 * 1024);
using dst = device.alloc('f32', 1024 * 1024);
await using queue = device.queue({ packets: 1024 });
try {
  const first = queue.launch(blur, {
    grid: [1024, 1024],
    workgroup: [16, 16],
    args: { src, dst, width: 1024 },
    signal: abort.signal,
  });
  await queue.launch(norm, { grid: 1024 * 1024, workgroup: 256, args: { img: dst, scale: 0.5 }, after: [first] });
} catch (error) {
  if (isHsaError(error, 'ERR_MEMORY_FAULT')) console.error(error.message, error.details, error.hint);
  else if (!isHsaError(error, 'ERR_ABORTED')) throw error;
}
