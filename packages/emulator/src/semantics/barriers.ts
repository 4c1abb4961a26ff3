/**
 * Barriers (semantics.md §11; LLVM, AMDGPUExecutionSynchronization): the workgroup's own, that of a cluster of workgroups, which is one
 * workgroup here, and the named ones of gfx1250, whose state the executor keeps.
 */
import type { Value } from '../ir/block.js';
import { BARRIER_REQUEST, encodeOperation, LAST_NAMED_BARRIER, NO_REGISTER } from '../ir/barrier-request.js';
import { SGPR_M0 } from '../ir/block.js';
import type { Operation, Semantic } from './operation.js';
import { signed16 } from './salu-arithmetic.js';

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

/** Ends the block; the executor changes `register` or SCC, which nothing is known of until then. */
function request(o: Operation, operation: number, barrier: Value, result: 'scc' | number | undefined): void {
  const { b } = o;
  const unknown = (): Value => b.op('low64', b.clock('cycles'));
  if (result === 'scc') b.setScc(b.op('eq32', b.op('and32', unknown(), b.i32(1)), b.i32(1)));
  else if (result !== undefined) b.setSgpr(result, unknown());
  const operationWord = b.i32(encodeOperation(operation, typeof result === 'number' ? result : NO_REGISTER));
  b.exit({ kind: 'request', request: b.op('pack64', barrier, operationWord), to: b.nextPc });
}

function named(o: Operation, operation: number, number: number | undefined, result?: 'scc' | number): void {
  requireNamed(o, number);
  request(o, operation, number === undefined ? o.b.sgpr(SGPR_M0) : o.b.i32(number), result);
}

/**
 * A wave counts as arrived at the workgroup's barrier when it waits. That is the same as long as it does not wait for what others do
 * after the barrier between its signal and its own wait.
 */
const signal: Semantic = (o) => {
  const number = barrierNumber(o);
  if (number !== WORKGROUP && number !== CLUSTER) named(o, BARRIER_REQUEST.signal, number);
};

const signalIsFirst: Semantic = (o) => {
  const number = barrierNumber(o);
  if (number === WORKGROUP) request(o, BARRIER_REQUEST.groupIsFirst, o.b.i32(0), 'scc');
  else named(o, BARRIER_REQUEST.signalIsFirst, number, 'scc');
};

const wait: Semantic = (o) => {
  const number = signed16(o.immediate('simm16'));
  if (number === CLUSTER) return;
  if (number === WORKGROUP) o.b.exit({ kind: 'barrier', to: o.b.nextPc });
  else named(o, BARRIER_REQUEST.wait, number);
};

/** The members' count is in M0, whose low half a constant number replaces. */
const init: Semantic = (o) => {
  const { b } = o;
  const number = barrierNumber(o);
  requireNamed(o, number);
  const count = b.op('and32', b.sgpr(SGPR_M0), b.i32(0xffff_0000));
  request(o, BARRIER_REQUEST.init, number === undefined ? b.sgpr(SGPR_M0) : b.op('or32', count, b.i32(number)), undefined);
};

const getState: Semantic = (o) => {
  const number = barrierNumber(o);
  const register = o.scalarIndex(o.result()) ?? o.unsupported(`${o.name} into ${o.result().special}`);
  const result = register < 0 ? undefined : register;
  if (number === WORKGROUP) request(o, BARRIER_REQUEST.groupState, o.b.i32(0), result);
  else named(o, BARRIER_REQUEST.state, number, result);
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
    named(o, BARRIER_REQUEST.join, barrierNumber(o));
  },
  s_barrier_leave: (o) => {
    named(o, BARRIER_REQUEST.leave, 0, 'scc');
  },
  // Waves that sleep go on by themselves.
  s_wakeup_barrier: (o) => {
    requireNamed(o, barrierNumber(o));
  },
};
