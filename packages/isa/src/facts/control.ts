/** How control goes on after an instruction (AMD ISA documents, "Program flow control"). */
import { HsaError } from '@doorbell/abi/core';
import { DecodedInstruction } from '../decode/decoded-instruction.js';
import { PairInstruction } from '../decode/pairs.js';
import type { Instruction, Operand } from '../instruction.js';
import type { BranchCondition, ControlFacts } from './instruction-facts.js';
import { operandRange } from './registers.js';

const DWORD_BYTES = 4;

/** What of an instruction's control flow its table entry decides. */
type ControlPlan =
  | { readonly kind: 'fixed'; readonly facts: ControlFacts }
  | { readonly kind: 'jump' }
  | { readonly kind: 'branch'; readonly condition: BranchCondition }
  /** A call with a target in the instruction, or in a register. */
  | { readonly kind: 'call' }
  | { readonly kind: 'indirect' }
  /** s_add_pc_i64: the next instruction's address plus a value. */
  | { readonly kind: 'relative' }
  | { readonly kind: 'trap' };

const fixed = (facts: ControlFacts): Extract<ControlPlan, { kind: 'fixed' }> => ({ kind: 'fixed', facts });
const branch = (condition: BranchCondition): ControlPlan => ({ kind: 'branch', condition });

const FALL = fixed({ kind: 'fall' });
const END = fixed({ kind: 'end' });
const ILLEGAL = fixed({ kind: 'illegal' });
const BARRIER = fixed({ kind: 'barrier' });
const HALT = fixed({ kind: 'halt' });
const SLEEP = fixed({ kind: 'sleep' });
const UNKNOWN = fixed({ kind: 'indirect', through: undefined });

const PLANS: ReadonlyMap<string, ControlPlan> = new Map<string, ControlPlan>([
  ['s_branch', { kind: 'jump' }],
  ['s_cbranch_scc0', branch('scc0')],
  ['s_cbranch_scc1', branch('scc1')],
  ['s_cbranch_vccz', branch('vccz')],
  ['s_cbranch_vccnz', branch('vccnz')],
  ['s_cbranch_execz', branch('execz')],
  ['s_cbranch_execnz', branch('execnz')],
  ['s_cbranch_cdbgsys', branch('debug')],
  ['s_cbranch_cdbguser', branch('debug')],
  ['s_cbranch_cdbgsys_or_user', branch('debug')],
  ['s_cbranch_cdbgsys_and_user', branch('debug')],
  ['s_cbranch_i_fork', branch('fork')],
  ['s_subvector_loop_begin', branch('subvector')],
  ['s_subvector_loop_end', branch('subvector')],
  // Fork and join take their targets from a stack in SGPRs.
  ['s_cbranch_g_fork', UNKNOWN],
  ['s_cbranch_join', UNKNOWN],
  ['s_call_b64', { kind: 'call' }],
  ['s_call_i64', { kind: 'call' }],
  ['s_swappc_b64', { kind: 'call' }],
  ['s_swap_pc_i64', { kind: 'call' }],
  ['s_setpc_b64', { kind: 'indirect' }],
  ['s_set_pc_i64', { kind: 'indirect' }],
  ['s_rfe_b64', { kind: 'indirect' }],
  ['s_rfe_i64', { kind: 'indirect' }],
  ['s_rfe_restore_b64', { kind: 'indirect' }],
  ['s_add_pc_i64', { kind: 'relative' }],
  ['s_endpgm', END],
  ['s_endpgm_saved', END],
  ['s_endpgm_ordered_ps_done', END],
  ['s_code_end', ILLEGAL],
  ['v_illegal', ILLEGAL],
  ['s_trap', { kind: 'trap' }],
  ['s_barrier', BARRIER],
  ['s_barrier_wait', BARRIER],
  ['ds_gws_barrier', BARRIER],
  ['ds_gws_sema_p', BARRIER],
  ['ds_gws_sema_br', BARRIER],
  ['s_sethalt', HALT],
  ['s_sendmsghalt', HALT],
  ['s_setkill', HALT],
  ['s_sleep', SLEEP],
  ['s_sleep_var', SLEEP],
  ['s_monitor_sleep', SLEEP],
]);

/**
 * How control goes on after an instruction: what {@link InstructionFacts} say of it, without working out the others.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT the instruction is not one that a decoder of this package made.
 */
export function controlOf(instruction: Instruction): ControlFacts {
  if (instruction instanceof PairInstruction) return FALL.facts;
  if (!(instruction instanceof DecodedInstruction)) throw notDecoded();
  const plan = PLANS.get(instruction.name) ?? FALL;
  return plan.kind === 'fixed' ? plan.facts : readControl(plan, instruction);
}

/** What a caller gets for an instruction of its own making. */
export function notDecoded(): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', {
    message: 'facts are known of instructions of a decoder of this package only',
    hint: 'Decode the bytes with createDecoder().',
  });
}

function readControl(
  plan: Exclude<ControlPlan, { kind: 'fixed' }>,
  { operands, sizeBytes, context: { waveSize } }: DecodedInstruction,
): ControlFacts {
  const find = (name: string): Operand | undefined => operands.find((operand) => operand.name === name);
  const displacement = find('simm16');
  const target = displacement === undefined ? undefined : sizeBytes + ((displacement.value << 16) >> 16) * DWORD_BYTES;
  const source = find('src0');
  const through = source === undefined ? undefined : operandRange(source, waveSize);
  switch (plan.kind) {
    case 'jump':
      return { kind: 'jump', target: target ?? sizeBytes };
    case 'branch':
      return { kind: 'branch', target: target ?? sizeBytes, condition: plan.condition };
    case 'call': {
      const link = find('sdst');
      return { kind: 'call', target, through, link: link === undefined ? undefined : operandRange(link, waveSize) };
    }
    case 'indirect':
      return { kind: 'indirect', through };
    case 'relative': {
      const distance = source === undefined ? undefined : constantValue(source);
      return distance === undefined ? { kind: 'indirect', through: undefined } : { kind: 'jump', target: sizeBytes + distance };
    }
    case 'trap':
      return { kind: 'trap', id: (displacement?.value ?? 0) & 0xff };
    default:
      plan satisfies never;
      return { kind: 'fall' };
  }
}

/** Value of a 64-bit constant that is within code's reach. */
function constantValue(operand: Operand): number | undefined {
  if (operand.kind !== 'inline' && operand.kind !== 'literal') return undefined;
  const value = (operand.high | 0) * 2 ** 32 + operand.low;
  return Number.isSafeInteger(value) ? value : undefined;
}
