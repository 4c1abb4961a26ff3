import { createDecoder, type Decoder, type Operand } from '@doorbell/isa';
import type { KernelTarget } from './kernel-target.js';
import type { SymbolTable } from './symbols.js';

const NEXT_FREE = { vgpr: '.amdgcn.next_free_vgpr', sgpr: '.amdgcn.next_free_sgpr' } as const;
const ORIGIN = { line: 1, column: 1 };

/**
 * The symbols that the assembler itself defines: the generation's numbers, and the first VGPR and SGPR that no instruction
 * named so far (LLVM AMDGPUUsage, "Predefined Symbols"). A source may set the latter two back.
 */
export class RegisterCounter {
  readonly #symbols: SymbolTable;
  readonly #decoder: Decoder | undefined;

  constructor(source: string, target: KernelTarget, symbols: SymbolTable) {
    this.#symbols = symbols;
    const [, minor = 0, stepping = 0] = target.version;
    const preset = {
      '.amdgcn.gfx_generation_number': target.major,
      '.amdgcn.gfx_generation_minor': minor,
      '.amdgcn.gfx_generation_stepping': stepping,
      [NEXT_FREE.vgpr]: 0,
      [NEXT_FREE.sgpr]: 0,
    };
    for (const [name, value] of Object.entries(preset)) {
      if (source.includes(name)) this.#set(name, value);
    }
    const isAsked = source.includes('.amdgcn.next_free_');
    this.#decoder = isAsked ? createDecoder(target.processor, { waveSize: target.waveSize }) : undefined;
  }

  /** Notes the registers of one instruction. */
  count(bytes: Uint8Array): void {
    if (!this.#decoder) return;
    const decoded = this.#decoder.decode(bytes, 0);
    if (!decoded.ok) return;
    const { operands, vopd } = decoded.instruction;
    const all = vopd ? [...vopd[0].operands, ...vopd[1].operands] : operands;
    this.#raise(NEXT_FREE.vgpr, all, 'vgpr');
    this.#raise(NEXT_FREE.sgpr, all, 'sgpr');
  }

  #raise(name: string, operands: readonly Operand[], kind: Operand['kind']): void {
    const known = this.#symbols.valueOf(name);
    let next = known?.kind === 'absolute' ? Number(known.value) : 0;
    for (const operand of operands) {
      if (operand.kind === kind) next = Math.max(next, operand.index + Math.ceil(operand.bits / 32));
    }
    this.#set(name, next);
  }

  #set(name: string, value: number): void {
    this.#symbols.defineValue(name, { kind: 'number', value: BigInt(value) }, { isRedefinable: true, origin: ORIGIN });
  }
}
