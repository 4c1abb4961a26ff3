import { findProcessor } from '@doorbell/abi';
import type { Assembler, Instruction, ProcessorComparison } from '@doorbell/isa';
import { compareProcessors, createAssembler, formatInstruction } from '@doorbell/isa';
import { hasWaveSize } from '../retarget/relation.js';
import type { InstructionTexts, Portability } from '../retarget/types.js';

/** Texts whose answer is kept; beyond, they are asked again. */
const MAX_TEXTS = 1 << 16;

/** Says how instructions of one processor fare on another, whose encodings may be other ones. */
export class PortabilityJudge {
  readonly comparison: ProcessorComparison;
  readonly #assembler: Assembler;
  readonly #byText = new Map<string, Portability>();
  readonly #missing = new Set<number>();

  constructor(source: string, target: string, waveSize: 32 | 64) {
    const processor = findProcessor(target);
    // A target without such waves gets the code in waves of its own: that the size differs is a limit of the kernel.
    const targetWaveSize = processor === undefined || hasWaveSize(processor, waveSize) ? waveSize : processor.waveSize;
    this.comparison = compareProcessors(source, target, { waveSize, targetWaveSize });
    this.#assembler = createAssembler(target, { waveSize: targetWaveSize });
  }

  judge(instruction: Instruction, bytes: Uint8Array, offset: number): Portability {
    if (this.#missing.has(instruction.entry)) return 'missing';
    if (this.comparison.fateOf(instruction, bytes, offset) === 'same') return 'same';
    const text = formatInstruction(instruction);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const portability = this.#assemble(text);
    if (portability === 'missing') this.#missing.add(instruction.entry);
    if (this.#byText.size < MAX_TEXTS) this.#byText.set(text, portability);
    return portability;
  }

  /** Both texts of an instruction that is not the same. */
  textsOf(instruction: Instruction, bytes: Uint8Array, offset: number): InstructionTexts {
    const decoded = this.comparison.target.decode(bytes, offset);
    return {
      source: formatInstruction(instruction),
      target: decoded.ok ? formatInstruction(decoded.instruction) : '',
    };
  }

  #assemble(text: string): Portability {
    const assembled = this.#assembler.assemble(text);
    if (assembled.ok) return 'other-encoding';
    return assembled.column === 1 && assembled.expected.includes('a mnemonic') ? 'missing' : 'operands';
  }
}
