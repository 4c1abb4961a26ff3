import { readFile } from 'node:fs/promises';
import {
  applyLoad,
  findKernel,
  layoutKernarg,
  packKernarg,
  parseCodeObjectFor,
  parseTargetId,
  planLoad,
} from '@doorbell/code-object';

const bytes = new Uint8Array(await readFile(new URL('./fixtures/gfx1100-v5.hsaco', import.meta.url)));
const codeObject = parseCodeObjectFor(bytes, parseTargetId('gfx1100')); // an ELF file, a bundle, a program
for (const { name, vgprs, args } of codeObject.kernels) console.log(name, vgprs, args.map((arg) => arg.name).join(' '));

const plan = planLoad(codeObject);
const image = new Uint8Array(plan.imageBytes); // in device memory, aligned to plan.alignBytes
applyLoad(plan, image, 0x42_0000_0000n);

const layout = layoutKernarg(findKernel(codeObject, 'plain'), { out: 'global', n: 'u32' });
const kernarg = packKernarg(layout, { out: 0x42_0010_0000n, n: 1000 }, { grid: [1000, 1, 1], workgroup: [256, 1, 1] });
console.log(`${kernarg.bytes.length} bytes of arguments, ${kernarg.groupSegmentBytes} bytes of LDS`);
