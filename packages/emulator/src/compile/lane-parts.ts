/**
 * A loop of one block whose lanes have more values than the engine has registers runs ahead for some groups of lanes at a time, where
 * nothing but the lanes' own values tells the parts apart: without effects, without values that cross lanes, and with a condition that
 * is the same for all lanes. All parts do the same number of rounds, so that the loop itself goes on from a state that all lanes have
 * reached; it does its last round, and spends fuel.
 */
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP, VOID } from '../wasm/opcodes.js';
import type { CfgBlock } from './cfg.js';
import type { Dag } from './dag.js';
import { T_V128, TYPE_LIST } from './dag-rules.js';
import type { Program } from './program.js';
import { vectorsOfLoop, VECTOR_BUDGET } from './register-budget.js';
import type { RegisterLocals } from './register-locals.js';
import { moveVectors } from './renewed-locals.js';
import { MAX_RENEWED } from './wave-state.js';

/** Rounds that the parts run ahead by: a hung loop must come back to its scheduler, and changing parts has its price. */
const ROUNDS = 1024;
/** Fewer groups do not hide how long a multiply-add takes. */
const MIN_GROUPS = 4;

type Moves = readonly (readonly [number, number])[];

/** What a round does: an i32 node that is not 0 if another follows, and what locals are given then, if that may be. */
interface Round {
  readonly goesOn: number;
  readonly moves: () => Moves;
}

export interface PartsContext {
  readonly body: FunctionBody;
  readonly dag: Dag;
  readonly program: Program;
  readonly registers: RegisterLocals;
  readonly fuel: number;
  /** Fuel for one round. */
  readonly cost: number;
  /** Makes the nodes of a round anew. */
  readonly makeRound: () => Round;
  readonly assign: (moves: Moves) => void;
}

/** Emits the rounds that run ahead, if the block's loop is one that gains by it. */
export function emitParts(block: CfgBlock, context: PartsContext): void {
  const { body, dag, program, registers } = context;
  const { index, ir, successors } = block;
  const others = successors.filter((successor) => successor !== index && program.isReached[successor] === true);
  if (ir.exit.kind !== 'branch' || block.hasGuard || ir.effects.length > 0 || others.length !== 1) return;
  if (!successors.includes(index) || ir.nodes.some((node) => node.kind === 'op' && CROSSING.has(node.op))) return;
  const { vectors, changed } = vectorsOfLoop(program, index, new Set([index]));
  const { groups } = program.shapes;
  const most = Math.floor(VECTOR_BUDGET / vectors.length);
  // What is only a little over budget is better spilled.
  if (changed.length * groups <= VECTOR_BUDGET || vectors.length * groups <= 2 * VECTOR_BUDGET) return;
  if (most < MIN_GROUPS || vectors.length * groups > MAX_RENEWED) return;

  const localsOf = (list: readonly number[], [start, end]: Part): readonly number[] =>
    list.flatMap((register) => Array.from({ length: end - start }, (_, i) => registers.group(register, start + i, false)));
  const unchanged = vectors.filter((register) => !changed.includes(register));
  const parts = partsOf(groups, most).map((part) => ({ read: localsOf(unchanged, part), changed: localsOf(changed, part) }));
  const first = context.makeRound();
  if (dag.constant(first.goesOn) !== undefined) return;
  const firstMoves = first.moves();
  const scalars = firstMoves.filter(([, node]) => dag.typeOf(node) !== T_V128);
  const owners = new Map(parts.flatMap(({ changed: locals }, part) => locals.map((local) => [local, part] as const)));
  if (!isApart(dag, first.goesOn, firstMoves, owners)) return;

  const all = parts.flatMap(({ read, changed: locals }) => [...read, ...locals]);
  const saved = scalars.map(([local, node]) => [local, body.local(TYPE_LIST[dag.typeOf(node)] ?? I32)] as const);
  const [rounds, left] = [body.local(I32), body.local(I32)];
  for (const [local, copy] of saved) {
    body.get(local);
    body.set(copy);
  }
  moveVectors(body, all, 'store');
  body.i32(0);
  body.set(rounds);
  let place = 0;
  for (const [part, { read, changed: locals }] of parts.entries()) {
    for (const [local, copy] of part === 0 ? [] : saved) {
      body.get(copy);
      body.set(local);
    }
    body.get(rounds);
    body.set(left);
    moveVectors(body, [...read, ...locals], 'load', place);
    // One way out of the loop: where two meet, the engine would keep values apart that are one register in the loop.
    body.open(OP.block, VOID);
    body.open(OP.loop, VOID);
    const round = context.makeRound();
    const [goesOn, moves] = [round.goesOn, round.moves()];
    if (part === 0) {
      // The first part counts the rounds that another one follows.
      dag.emit(goesOn);
      body.op(OP.i32Eqz);
      body.get(rounds);
      body.i32(ROUNDS);
      body.op(OP.i32GeU);
      body.op(OP.i32Or);
    } else {
      body.get(left);
      body.op(OP.i32Eqz);
    }
    body.brIf(1);
    context.assign(moves.filter(([local, node]) => dag.typeOf(node) !== T_V128 || owners.get(local) === part));
    const [counter, step] = part === 0 ? [rounds, 1] : [left, -1];
    body.get(counter);
    body.i32(step);
    body.op(OP.i32Add);
    body.set(counter);
    body.br(0);
    body.end();
    body.end();
    moveVectors(body, locals, 'store', place + read.length);
    place += read.length + locals.length;
  }
  moveVectors(body, all, 'load');
  body.get(context.fuel);
  body.get(rounds);
  body.i32(context.cost);
  body.op(OP.i32Mul);
  body.op(OP.i32Sub);
  body.set(context.fuel);
}

/** Groups of four lanes from the first number up to the second. */
type Part = readonly [start: number, end: number];

/** As few parts as have at most `most` groups each, of about one size. */
function partsOf(groups: number, most: number): readonly Part[] {
  const count = Math.ceil(groups / most);
  const start = (part: number): number => Math.ceil((groups * part) / count);
  return Array.from({ length: count }, (_, part) => [start(part), start(part + 1)]);
}

/** Operations that move values between lanes by way of memory. */
const CROSSING: ReadonlySet<string> = new Set(['readLane', 'shuffle', 'insertLane']);

/** Each part's values come from that part alone, and scalars from scalars. */
function isApart(dag: Dag, goesOn: number, moves: Moves, owners: ReadonlyMap<number, number>): boolean {
  const reads = (root: number, isAllowed: (part: number) => boolean): boolean => {
    const seen = new Set([root]);
    for (const node of seen) {
      if (dag.isLocal(node)) {
        const part = owners.get(dag.arg(node, 0));
        if (part !== undefined && !isAllowed(part)) return false;
      } else for (const argument of dag.argumentsOf(node)) seen.add(argument);
    }
    return true;
  };
  if (!reads(goesOn, () => false)) return false;
  return moves.every(([local, node]) => {
    if (dag.typeOf(node) !== T_V128) return reads(node, () => false);
    const owner = owners.get(local);
    return owner !== undefined && reads(node, (part) => part === owner);
  });
}
