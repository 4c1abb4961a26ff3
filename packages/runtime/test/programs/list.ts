import { listDevices, openDevice } from '@doorbell/runtime';

for (const d of await listDevices()) console.log(d.index, d.isa, d.backend, d.vramBytes, d.name);
await using device = await openDevice({ backend: 'emulated', isa: 'gfx942' });
using module = await device.load('./matmul.hsaco');
for (const name of module.kernelNames) {
  const k = module.kernel(name);
  console.log(name, k.vgprs, k.ldsBytes, k.occupancy(256));
}
void device.lost.then((info) => {
  console.error(info.reason, info.error?.code);
  process.exitCode = 1;
});
