import { createDecoder } from '../decode/decoder.js';
import { hasEntry } from '../decode/lookup.js';
import { formatInstruction } from '../disassemble/format-instruction.js';
import type { Decoder, Instruction, Operand } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import { instructionTable } from '../table/processors.js';
import { processorQuirks } from './processor-facts.js';

/**
 * What the bytes of an instruction are on another processor: the same, no instruction, another instruction, or the same with an
 * operand that this processor does not take.
 */
export type InstructionFate = 'same' | 'missing' | 'different' | 'operand';

/** Compares the instructions of two processors. */
export interface ProcessorComparison {
  /** Decode for it, and give what it decodes to {@link ProcessorComparison.fateOf}. */
  readonly source: Decoder;
  readonly target: Decoder;
  /** What `instruction`, which the source decoder found at `offset` of `bytes`, is on the target. */
  fateOf(instruction: Instruction, bytes: Uint8Array, offset: number): InstructionFate;
  /** Whether every instruction of this entry is the same; false while that is not known. */
  isSameEverywhere(entry: number): boolean;
}

export interface ComparisonOptions {
  /** Lanes of a wave; default as for a decoder. */
  readonly waveSize?: 32 | 64;
  /** On the target; default the same. */
  readonly targetWaveSize?: 32 | 64;
}

/**
 * A comparison of two processors, which is made once and shared. Processors of one table share most entries: these cost one look-up.
 *
 * @throws {HsaError} as {@link createDecoder} does, for either.
 */
export function compareProcessors(source: string, target: string, options: ComparisonOptions = {}): ProcessorComparison {
  const { targetWaveSize = options.waveSize } = options;
  const targetOptions = targetWaveSize === undefined ? {} : { waveSize: targetWaveSize };
  const decoders = [createDecoder(source, options), createDecoder(target, targetOptions)] as const;
  const key = `${source} ${target} ${decoders[0].waveSize} ${decoders[1].waveSize}`;
  let comparison = comparisons.get(key);
  if (comparison === undefined) {
    const tables = [instructionTable(source), instructionTable(target)] as const;
    comparison = tables[0] === tables[1] ? new RelatedProcessors(tables[0], ...decoders) : new UnrelatedProcessors(...decoders);
    comparisons.set(key, comparison);
  }
  return comparison;
}

const comparisons = new Map<string, ProcessorComparison>();

/** By entry: not looked at yet; the same on both whatever the operands; to be decoded for both; to be printed for both. */
const FATE = { unknown: 0, same: 1, decode: 2, print: 3 } as const;

/** Classes of immediates with values that only some processors of a table have. */
const NAMED_IMMEDIATES: ReadonlySet<string> = new Set(['hwreg', 'sendmsg', 'depctr']);

/** Two processors of one table. */
class RelatedProcessors implements ProcessorComparison {
  readonly source: Decoder;
  readonly target: Decoder;
  readonly #table: InstructionTable;
  readonly #fates: Uint8Array;
  /** Entries that the target has and the source lacks: they may claim bytes that are something else on the source. */
  readonly #onlyTarget: readonly number[];
  readonly #losesDppSgpr: boolean;

  constructor(table: InstructionTable, source: Decoder, target: Decoder) {
    this.source = source;
    this.target = target;
    this.#table = table;
    this.#fates = new Uint8Array(table.entryCount);
    const onlyTarget: number[] = [];
    for (let entry = 0; entry < table.entryCount; entry++) {
      if (this.#has(target, entry) && !this.#has(source, entry)) onlyTarget.push(entry);
    }
    this.#onlyTarget = onlyTarget;
    this.#losesDppSgpr =
      processorQuirks(source.processor).has('dpp-src1-sgpr') && !processorQuirks(target.processor).has('dpp-src1-sgpr');
  }

  // hot
  fateOf(instruction: Instruction, bytes: Uint8Array, offset: number): InstructionFate {
    return this.isSameEverywhere(instruction.entry) ? 'same' : this.#decide(instruction, bytes, offset);
  }

  // hot
  isSameEverywhere(entry: number): boolean {
    // Pairs have entries past the table's; every processor of a table has the same ones.
    return (this.#fates[entry] ?? FATE.same) === FATE.same;
  }

  #decide(instruction: Instruction, bytes: Uint8Array, offset: number): InstructionFate {
    const { entry } = instruction;
    if (this.#fates[entry] === FATE.unknown) this.#fates[entry] = this.#classify(entry);
    if (this.#fates[entry] === FATE.same) return 'same';
    const decoded = this.target.decode(bytes, offset);
    if (!decoded.ok) return 'missing';
    const { instruction: other } = decoded;
    if (other.entry !== entry || other.sizeBytes !== instruction.sizeBytes) return 'different';
    if (this.#losesDppSgpr && this.#isWideDpp(entry) && instruction.operand('src1')?.kind !== 'vgpr') return 'operand';
    const isPrinted = this.#fates[entry] === FATE.print;
    return isPrinted && formatInstruction(other) !== formatInstruction(instruction) ? 'operand' : 'same';
  }

  #classify(entry: number): number {
    const table = this.#table;
    if (!this.#has(this.target, entry)) return FATE.decode;
    if (this.#onlyTarget.some((other) => overlap(table, entry, other))) return FATE.decode;
    if (this.#losesDppSgpr && this.#isWideDpp(entry)) return FATE.decode;
    return table.operandSet(entry).some(({ c }) => c !== undefined && NAMED_IMMEDIATES.has(c)) ? FATE.print : FATE.same;
  }

  /** DPP in a VOP3 encoding, whose src1 can be something else than a VGPR. */
  #isWideDpp(entry: number): boolean {
    const table = this.#table;
    return (
      table.format(entry).startsWith('VOP3') &&
      table.extension(entry).startsWith('DPP') &&
      table.operandSet(entry).some(({ n }) => n === 'src1')
    );
  }

  #has({ processor, waveSize }: Decoder, entry: number): boolean {
    return hasEntry(this.#table, entry, processor, waveSize);
  }
}

/** Whether some bytes agree with the fixed bits of both entries. */
function overlap(table: InstructionTable, a: number, b: number): boolean {
  for (let word = 0; word < 4; word++) {
    if (((table.value(a, word) ^ table.value(b, word)) & table.mask(a, word) & table.mask(b, word)) !== 0) return false;
  }
  return true;
}

/** Two processors of different tables: what the bytes say is compared. */
class UnrelatedProcessors implements ProcessorComparison {
  readonly source: Decoder;
  readonly target: Decoder;

  constructor(source: Decoder, target: Decoder) {
    this.source = source;
    this.target = target;
  }

  fateOf(instruction: Instruction, bytes: Uint8Array, offset: number): InstructionFate {
    const decoded = this.target.decode(bytes, offset);
    if (!decoded.ok) return 'missing';
    const { instruction: other } = decoded;
    if (other.mnemonic !== instruction.mnemonic || other.sizeBytes !== instruction.sizeBytes) return 'different';
    if (other.implicitReads.join() !== instruction.implicitReads.join()) return 'different';
    if (other.implicitWrites.join() !== instruction.implicitWrites.join()) return 'different';
    if (!haveSameOperands(instruction.operands, other.operands)) return 'operand';
    return formatInstruction(other) === formatInstruction(instruction) ? 'same' : 'operand';
  }

  isSameEverywhere(): boolean {
    return false;
  }
}

/** Whether two instructions name the same registers and constants; immediates are compared as they are printed. */
function haveSameOperands(left: readonly Operand[], right: readonly Operand[]): boolean {
  const [ours, theirs] = [left, right].map((operands) => operands.filter(({ kind }) => kind !== 'immediate'));
  return (
    ours?.length === theirs?.length &&
    (ours ?? []).every((a, i) => {
      const b = theirs?.[i];
      return a.kind === b?.kind && a.index === b.index && a.bits === b.bits;
    })
  );
}
