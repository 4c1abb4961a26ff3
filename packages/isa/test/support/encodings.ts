import { createDecoder, formatInstruction } from '../../src/index.js';

/** What we print for bytes that are one instruction; '' for what is none, as llvm-mc's helper answers. */
export function textOf(bytes: Uint8Array, processor: string, waveSize: 32 | 64): string {
  const decoded = createDecoder(processor, { waveSize }).decode(bytes, 0);
  if (!decoded.ok) return '';
  const { instruction } = decoded;
  const text = formatInstruction(instruction);
  return instruction.sizeBytes === bytes.length ? text : `${text} (${instruction.sizeBytes} of ${bytes.length} bytes)`;
}

export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.replaceAll(' ', '').match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
