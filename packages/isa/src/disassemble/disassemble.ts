import { createDecoder } from '../decode/decoder.js';
import type { DecodeFailure, Instruction } from '../instruction.js';
import { formatInstruction } from './format-instruction.js';
import type { FormatOptions } from './format-instruction.js';
import { hex } from './values.js';
import { banksAfter } from './vgpr-banks.js';

export interface DisassembleOptions extends Pick<FormatOptions, 'symbolAt'> {
  /** `gfx1100`, … */
  readonly processor: string;
  /** Lanes of a wave; default: the processor's own. */
  readonly waveSize?: 32 | 64;
  /** Address of the first byte; default 0. */
  readonly baseAddress?: bigint;
}

/** One line of a disassembly. */
export interface DisassembledLine {
  /** Offset into the bytes. */
  readonly offset: number;
  readonly address: bigint;
  readonly sizeBytes: number;
  /** As llvm-objdump 22 prints it: the instruction, or `.long 0x…` (`.byte` at a ragged end) for what is none. */
  readonly text: string;
  readonly instruction?: Instruction;
  /** Why the bytes are not an instruction. */
  readonly failure?: DecodeFailure;
}

/**
 * Disassembles machine code, line by line. Bytes that are no instruction become a data line; it always ends at the last byte.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT, ERR_NOT_SUPPORTED as {@link createDecoder} does.
 * @example
 * for (const { address, text } of disassemble(code, { processor: 'gfx1100' })) console.log(address.toString(16), text);
 */
export function* disassemble(bytes: Uint8Array, options: DisassembleOptions): Generator<DisassembledLine, void, undefined> {
  const { processor, waveSize, baseAddress = 0n, symbolAt } = options;
  const decoder = createDecoder(processor, waveSize === undefined ? {} : { waveSize });
  let vgprBanks = 0;
  let offset = 0;
  while (offset < bytes.length) {
    const address = baseAddress + BigInt(offset);
    const decoded = decoder.decode(bytes, offset);
    if (decoded.ok) {
      const { instruction } = decoded;
      const { sizeBytes } = instruction;
      const text = formatInstruction(instruction, { vgprBanks, ...(symbolAt ? { pc: address, symbolAt } : {}) });
      vgprBanks = banksAfter(instruction, vgprBanks);
      yield { offset, address, sizeBytes, text, instruction };
      offset += sizeBytes;
    } else {
      const { failure } = decoded;
      yield { offset, address, sizeBytes: failure.sizeBytes, text: formatData(bytes, offset, failure), failure };
      offset += failure.sizeBytes;
    }
  }
}

function formatData(bytes: Uint8Array, offset: number, { sizeBytes, words }: DecodeFailure): string {
  if (sizeBytes === 4) return `.long 0x${(words[0] ?? 0).toString(16).padStart(8, '0')}`;
  return `.byte ${Array.from(bytes.subarray(offset, offset + sizeBytes), hex).join(', ')}`;
}
