import { parseCodeObject } from '@doorbell/code-object';

const PAGE = 4096;
const SYMBOL_BYTES = 24;

/**
 * A code object whose code is that of another over and over, up to `textBytes`, with a function symbol for every time: as large as
 * those of libraries. Its kernels are the original's.
 */
export function repeatCode(original: Uint8Array, textBytes: number): Uint8Array {
  const { elf, kernels } = parseCodeObject(original);
  const view = new DataView(original.buffer, original.byteOffset, original.byteLength);
  const indexOf = (name: string): number => elf.sections.findIndex((section) => section.name === name);
  const text = elf.sections[indexOf('.text')];
  const symtab = elf.sections[indexOf('.symtab')];
  if (text === undefined || symtab === undefined) throw new Error('a code object has .text and .symtab');
  const code = original.subarray(Number(text.fileOffset), Number(text.fileOffset + text.sizeBytes));
  const times = Math.ceil(textBytes / code.length);
  const textAt = Math.ceil(original.length / PAGE) * PAGE;
  const symbolsAt = textAt + times * code.length;
  const oldSymbols = original.subarray(Number(symtab.fileOffset), Number(symtab.fileOffset + symtab.sizeBytes));
  const bytes = new Uint8Array(symbolsAt + oldSymbols.length + (times - 1) * SYMBOL_BYTES);
  bytes.set(original);
  for (let i = 0; i < times; i++) bytes.set(code, textAt + i * code.length);
  bytes.set(oldSymbols, symbolsAt);

  const out = new DataView(bytes.buffer);
  // Above everything else that is loaded.
  const vaddr = 0x100_0000n;
  const delta = vaddr - text.vaddr;
  const isCode = (value: bigint): boolean => value >= text.vaddr && value < text.vaddr + text.sizeBytes;
  for (let at = symbolsAt; at < symbolsAt + oldSymbols.length; at += SYMBOL_BYTES) {
    const value = out.getBigUint64(at + 8, true);
    if (isCode(value)) out.setBigUint64(at + 8, value + delta, true);
  }
  for (let i = 1; i < times; i++) {
    const at = symbolsAt + oldSymbols.length + (i - 1) * SYMBOL_BYTES;
    // STB_GLOBAL, STT_FUNC, in .text.
    out.setUint8(at + 4, 0x12);
    out.setUint16(at + 6, indexOf('.text'), true);
    out.setBigUint64(at + 8, vaddr + BigInt(i * code.length), true);
    out.setBigUint64(at + 16, BigInt(code.length), true);
  }
  for (const { descriptorVaddr, descriptor } of kernels) {
    out.setBigInt64(Number(descriptorVaddr) + 16, descriptor.raw.entryOffset + delta, true);
  }
  const sectionAt = Number(view.getBigUint64(40, true));
  const setSection = (index: number, address: bigint, offset: number, size: number): void => {
    const at = sectionAt + index * 64;
    out.setBigUint64(at + 16, address, true);
    out.setBigUint64(at + 24, BigInt(offset), true);
    out.setBigUint64(at + 32, BigInt(size), true);
  };
  setSection(indexOf('.text'), vaddr, textAt, symbolsAt - textAt);
  setSection(indexOf('.symtab'), 0n, symbolsAt, bytes.length - symbolsAt);
  elf.programHeaders.forEach(({ type, vaddr: address }, index) => {
    if (type !== 1 || address !== text.vaddr) return;
    const at = 64 + index * 56;
    for (const [field, value] of [
      [8, BigInt(textAt)],
      [16, vaddr],
      [24, vaddr],
      [32, BigInt(symbolsAt - textAt)],
      [40, BigInt(symbolsAt - textAt)],
    ] as const) {
      out.setBigUint64(at + field, value, true);
    }
  });
  return bytes;
}
