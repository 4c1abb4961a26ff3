/**
 * Barriers (semantics.md §11; LLVM, AMDGPUExecutionSynchronization): the workgroup's own, that of a cluster of workgroups, which is one
 * workgroup here, and the named ones of gfx1250, whose state the executor keeps.
 */
import { LAST_NAMED_BARRIER, WAVE_REQUEST } from '../ir/wave-request.js';
import { SGPR_M0 } from '../ir/block.js';
import type { Operation, Semantic } from './operation.js';
import { signed16 } from './salu-arithmetic.js';
import { requestFor } from './wave-request.js';

/** Barriers by number (LLVM SIDefines.h, namespace Barrier). */
const WORKGROUP = -1;
const CLUSTER = -3;

/** The number that an operand is; undefined: it is in M0, where only named barriers can be. */
function barrierNumber(o: Operation): number | undefined {
  const source = o.source(0);
  if (source.kind === 'inline') return source.low | 0;
  return source.special === 'm0' ? undefined : o.unsupported(`${o.name} with a barrier in ${source.kind}`);
}

function requireNamed(o: Operation, number: number | undefined): void {
  if (o.generation.family !== 'gfx1250') o.unsupported(`named barriers of ${o.generation.family}`);
  if (number !== undefined && (number < 0 || number > LAST_NAMED_BARRIER)) o.unsupported(`barrier ${number}`);
}

function named(o: Operation, operation: number, number: number | undefined, result?: 'scc' | number): void {
  requireNamed(o, number);
  requestFor(o, operation, number === undefined ? o.b.sgpr(SGPR_M0) : o.b.i32(number), result);
}

/**
 * A wave counts as arrived at the workgroup's barrier when it waits. That is the same as long as it does not wait for what others do
 * after the barrier between its signal and its own wait.
 */
const signal: Semantic = (o) => {
  const number = barrierNumber(o);
  if (number !== WORKGROUP && number !== CLUSTER) named(o, WAVE_REQUEST.signal, number);
};

const signalIsFirst: Semantic = (o) => {
  const number = barrierNumber(o);
  if (number === WORKGROUP) requestFor(o, WAVE_REQUEST.groupIsFirst, o.b.i32(0), 'scc');
  else named(o, WAVE_REQUEST.signalIsFirst, number, 'scc');
};

const wait: Semantic = (o) => {
  const number = signed16(o.immediate('simm16'));
  if (number === CLUSTER) return;
  if (number === WORKGROUP) o.b.exit({ kind: 'barrier', to: o.b.nextPc });
  else named(o, WAVE_REQUEST.wait, number);
};

/** The members' count is in M0, whose low half a constant number replaces. */
const init: Semantic = (o) => {
  const { b } = o;
  const number = barrierNumber(o);
  requireNamed(o, number);
  const count = b.op('and32', b.sgpr(SGPR_M0), b.i32(0xffff_0000));
  requestFor(o, WAVE_REQUEST.init, number === undefined ? b.sgpr(SGPR_M0) : b.op('or32', count, b.i32(number)), undefined);
};

const getState: Semantic = (o) => {
  const number = barrierNumber(o);
  const register = o.scalarIndex(o.result()) ?? o.unsupported(`${o.name} into ${o.result().special}`);
  const result = register < 0 ? undefined : register;
  if (number === WORKGROUP) requestFor(o, WAVE_REQUEST.groupState, o.b.i32(0), result);
  else named(o, WAVE_REQUEST.state, number, result);
};

export const BARRIERS: Readonly<Record<string, Semantic>> = {
  s_barrier: (o) => {
    o.b.exit({ kind: 'barrier', to: o.b.nextPc });
  },
  s_barrier_signal: signal,
  s_barrier_signal_isfirst: signalIsFirst,
  s_barrier_wait: wait,
  s_get_barrier_state: getState,
};

/** What there is for named barriers alone. */
export const NAMED_BARRIERS: Readonly<Record<string, Semantic>> = {
  s_barrier_init: init,
  s_barrier_join: (o) => {
    named(o, WAVE_REQUEST.join, barrierNumber(o));
  },
  s_barrier_leave: (o) => {
    named(o, WAVE_REQUEST.leave, 0, 'scc');
  },
  // Waves that sleep go on by themselves.
  s_wakeup_barrier: (o) => {
    requireNamed(o, barrierNumber(o));
  },
};
