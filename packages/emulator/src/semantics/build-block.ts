/** From decoded instructions to a block of IR. */
import type { Instruction } from '@doorbell/isa';
import type { Block } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import { Unsupported, WaveBuilder } from '../ir/wave-builder.js';
import { Operation } from './operation.js';
import { generationOf } from './generation.js';
import { semanticsOf, type Meanings } from './table.js';
import { buildDual } from './vopd.js';

/** What the meaning of instructions depends on beside their bytes. */
export interface BuildOptions {
  readonly waveSize: 32 | 64;
  /** MODE before the first instruction. */
  readonly mode: FloatMode;
  /** `gfx1100`, … */
  readonly processor: string;
  /** GPU address of byte offset 0 of the code: what s_getpc and calls make of offsets. */
  readonly codeBase: bigint;
  /** VGPRs that the wave has; default 256. What is addressed through M0 can be any of them. */
  readonly vgprCount?: number;
}

/** An instruction and its byte offset in the code. */
export interface PlacedInstruction {
  readonly offset: number;
  readonly instruction: Instruction;
}

/**
 * One block of the instructions in order, up to the first that transfers control or changes MODE. An instruction without meaning
 * ends it before that instruction with an `illegal` exit: what comes earlier is done first, then the exception is raised.
 */
export function buildBlock(instructions: readonly PlacedInstruction[], options: BuildOptions): Block {
  const builder = new WaveBuilder({ ...options, start: instructions[0]?.offset ?? 0 });
  const generation = generationOf(options.processor);
  const semantics = semanticsOf(generation);
  const operation = new Operation(builder, generation, options.vgprCount ?? 256);
  for (const { offset, instruction } of instructions) {
    builder.begin(offset, instruction.sizeBytes);
    try {
      buildInstruction(operation, instruction, semantics);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      builder.rollback();
      builder.exit({ kind: 'illegal', reason: `${instruction.mnemonic}: ${error.message}` });
    }
    if (builder.hasExit) break;
  }
  return builder.finish();
}

function buildInstruction(operation: Operation, instruction: Instruction, semantics: Meanings): void {
  if (instruction.vopd !== undefined) {
    buildDual(operation, instruction, instruction.vopd, semantics);
    return;
  }
  const semantic = semantics.get(instruction.name);
  operation.reset(instruction.name, instruction.operands, instruction);
  if (semantic === undefined) operation.unsupported('not implemented');
  semantic(operation);
}
