/** Algebraic identities of the value graph: what an operation is equal to, in canonical form; undefined: nothing simpler. */
import type { Value } from './block.js';
import type { Graph } from './graph.js';
import type { OpName } from './ops.js';

const ONES = 0xffff_ffff;

/** An operation's value in simpler form, if there is one. Not all arguments are constants. */
export function simplify(g: Graph, name: OpName, a?: Value, b?: Value, c?: Value): Value | undefined {
  if (a === undefined) return undefined;
  if (b === undefined) return simplifyUnary(g, name, a);
  if (c !== undefined) return simplifyTernary(g, name, a, b, c);
  if (a.kind === 'const' && b.kind !== 'const' && COMMUTATIVE.has(name)) return g.op(name, b, a);
  return simplifyInteger(g, name, a, b) ?? simplifyOther(g, name, a, b);
}

const COMMUTATIVE: ReadonlySet<OpName> = new Set<OpName>([
  'add32',
  'mul32',
  'mulHiU32',
  'mulHiS32',
  'and32',
  'or32',
  'xor32',
  'minU32',
  'maxU32',
  'minS32',
  'maxS32',
  'eq32',
  'add64',
  'mul64',
  'mulWideU32',
  'mulWideS32',
  'and64',
  'or64',
  'xor64',
  'eq64',
  'and',
  'or',
  'xor',
]);

function simplifyUnary(g: Graph, name: OpName, a: Value): Value | undefined {
  switch (name) {
    case 'not':
      return argumentOf(a, 'not', 0);
    case 'low64':
      return lowHalf(g, a);
    case 'high64':
      return highHalf(g, a);
    case 'any':
      // One value for the whole wave is its own reduction.
      return a.uniform ? a : undefined;
    case 'ballot':
      return simplifyBallot(g, a);
    case 'inverseBallot':
      return simplifyInverseBallot(g, a);
    default:
      return undefined;
  }
}

function simplifyTernary(g: Graph, name: OpName, a: Value, b: Value, c: Value): Value | undefined {
  if (name === 'insertLane') return undefined;
  if (name !== 'select32' && name !== 'select64') return undefined;
  if (b === c) return b;
  if (a.kind === 'const') return a.low === 1 ? b : c;
  const inverted = argumentOf(a, 'not', 0);
  if (inverted !== undefined) return g.op(name, inverted, c, b);
  return undefined;
}

/** 32-bit integer operations of two arguments; a constant of a commutative operation is `b`. */
function simplifyInteger(g: Graph, name: OpName, a: Value, b: Value): Value | undefined {
  switch (name) {
    case 'add32': {
      if (isConst(b, 0)) return a;
      const inner = b.kind === 'const' ? constantOf(a, 'add32') : undefined;
      return inner === undefined ? undefined : g.op('add32', inner.rest, g.op('add32', inner.constant, b));
    }
    case 'sub32':
      if (a === b) return g.i32(0);
      return b.kind === 'const' ? g.op('add32', a, g.i32(-b.low)) : undefined;
    case 'mul32':
      if (isConst(b, 0)) return b;
      return isConst(b, 1) ? a : undefined;
    case 'and32':
      return simplifyAnd32(g, a, b);
    case 'or32':
      if (a === b || isConst(b, 0)) return a;
      return isConst(b, ONES) ? b : undefined;
    case 'xor32': {
      if (a === b) return g.i32(0);
      if (isConst(b, 0)) return a;
      const inner = b.kind === 'const' ? constantOf(a, 'xor32') : undefined;
      return inner === undefined ? undefined : g.op('xor32', inner.rest, g.op('xor32', inner.constant, b));
    }
    case 'shl32':
    case 'shrU32':
    case 'shrS32':
      return simplifyShift(g, name, a, b);
    case 'minU32':
    case 'maxU32':
    case 'minS32':
    case 'maxS32':
      return a === b ? a : undefined;
    default:
      return undefined;
  }
}

function simplifyAnd32(g: Graph, a: Value, b: Value): Value | undefined {
  if (a === b) return a;
  if (b.kind !== 'const') return undefined;
  const possible = ~g.knownZero(a) >>> 0;
  if ((possible & b.low) === 0) return g.i32(0);
  if ((possible & ~b.low) === 0) return a;
  const inner = constantOf(a, 'and32');
  if (inner !== undefined) return g.op('and32', inner.rest, g.op('and32', inner.constant, b));
  const [x, y] = argumentsOf(a, 'or32');
  if (x !== undefined && y !== undefined) {
    if ((~g.knownZero(x) & b.low) === 0) return g.op('and32', y, b);
    if ((~g.knownZero(y) & b.low) === 0) return g.op('and32', x, b);
  }
  return undefined;
}

function simplifyShift(g: Graph, name: 'shl32' | 'shrU32' | 'shrS32', a: Value, b: Value): Value | undefined {
  if (b.kind !== 'const') return isConst(a, 0) ? a : undefined;
  const amount = b.low & 31;
  if (amount === 0) return a;
  if (amount !== b.low) return g.op(name, a, g.i32(amount));
  const [x, y] = argumentsOf(a, name);
  if (x !== undefined && y?.kind === 'const') {
    const sum = amount + (y.low & 31);
    if (sum < 32) return g.op(name, x, g.i32(sum));
    return name === 'shrS32' ? g.op(name, x, g.i32(31)) : g.i32(0);
  }
  if (name === 'shrS32') return undefined;
  const possible = ~g.knownZero(a) >>> 0;
  if ((name === 'shl32' ? possible << amount : possible >>> amount) === 0) return g.i32(0);
  const [p, q] = argumentsOf(a, 'or32');
  if (name === 'shrU32' && p !== undefined && q !== undefined) {
    if (~g.knownZero(p) >>> amount === 0) return g.op(name, q, b);
    if (~g.knownZero(q) >>> amount === 0) return g.op(name, p, b);
  }
  return undefined;
}

function simplifyOther(g: Graph, name: OpName, a: Value, b: Value): Value | undefined {
  switch (name) {
    case 'eq32':
      if (a === b) return g.bool(1);
      return b.kind === 'const' ? equalsConstant(g, a, b.low) : undefined;
    case 'ltU32':
      return a === b || isConst(b, 0) ? g.bool(0) : undefined;
    case 'ltS32':
      return a === b ? g.bool(0) : undefined;
    case 'eq64':
      if (a === b) return g.bool(1);
      return isConst(b, 0, 0) ? isZero64(g, a) : undefined;
    case 'ltU64':
    case 'ltS64':
      return a === b ? g.bool(0) : undefined;
    case 'pack64':
      return joinHalves(g, a, b);
    case 'add64':
    case 'sub64':
    case 'or64':
    case 'xor64':
      if (isConst(b, 0, 0)) return a;
      return name === 'sub64' || name === 'add64' ? undefined : splitLogic(g, name, a, b);
    case 'and64':
      return splitLogic(g, name, a, b);
    case 'shl64':
    case 'shrU64':
    case 'shrS64':
      return b.kind === 'const' && (b.low & 63) === 0 ? a : undefined;
    case 'mulWideU32':
      if (isConst(b, 0)) return g.i64(0, 0);
      return isConst(b, 1) ? g.op('pack64', a, g.i32(0)) : undefined;
    case 'and':
      if (a === b || isConst(b, 1)) return a;
      return isConst(b, 0) ? b : undefined;
    case 'or':
      if (a === b || isConst(b, 0)) return a;
      return isConst(b, 1) ? b : undefined;
    case 'xor':
      if (a === b) return g.bool(0);
      if (isConst(b, 0)) return a;
      return isConst(b, 1) ? g.op('not', a) : undefined;
    case 'readLane':
    case 'readFirstLane':
    case 'shuffle':
      return a.uniform ? a : undefined;
    default:
      return undefined;
  }
}

/** A comparison of what is a condition in disguise with a constant. */
function equalsConstant(g: Graph, a: Value, constant: number): Value | undefined {
  if ((constant & g.knownZero(a)) >>> 0 !== 0) return g.bool(0);
  const [condition, x, y] = argumentsOf(a, 'select32');
  if (condition !== undefined && x?.kind === 'const' && y?.kind === 'const') {
    if (x.low === constant) return condition; // x and y differ, else the select were gone
    return y.low === constant ? g.op('not', condition) : g.bool(0);
  }
  if (constant !== 0) return undefined;
  // Wave masks, wave32: no bit set is no lane set.
  const ballot = argumentOf(a, 'low64', 0);
  const lanes = ballot === undefined || g.waveSize === 64 ? undefined : argumentOf(ballot, 'ballot', 0);
  if (lanes !== undefined) return g.op('not', g.op('any', lanes));
  const inverted = constantOf(a, 'xor32');
  return inverted === undefined ? undefined : g.op('eq32', inverted.rest, inverted.constant);
}

function isZero64(g: Graph, a: Value): Value | undefined {
  const lanes = argumentOf(a, 'ballot', 0);
  if (lanes !== undefined) return g.op('not', g.op('any', lanes));
  const [low, high] = argumentsOf(a, 'pack64');
  if (low === undefined || high === undefined) return undefined;
  if (isConst(high, 0)) return g.op('eq32', low, high);
  return isConst(low, 0) ? g.op('eq32', high, low) : undefined;
}

/** Bitwise operations on values that are known by halves stay in halves. */
function splitLogic(g: Graph, name: 'and64' | 'or64' | 'xor64', a: Value, b: Value): Value | undefined {
  if (a === b) return name === 'xor64' ? g.i64(0, 0) : a;
  if (isConst(b, 0, 0)) return name === 'and64' ? b : a;
  if (isConst(b, ONES, ONES) && name === 'and64') return a;
  if (!isHalved(a) || !isHalved(b)) return undefined;
  const half = name === 'and64' ? 'and32' : name === 'or64' ? 'or32' : 'xor32';
  return g.op('pack64', g.op(half, g.op('low64', a), g.op('low64', b)), g.op(half, g.op('high64', a), g.op('high64', b)));
}

function isHalved(value: Value): boolean {
  return value.kind === 'const' || (value.kind === 'op' && value.op === 'pack64');
}

/** The low dword of what has one of its own. */
function lowHalf(g: Graph, a: Value): Value | undefined {
  if (a.kind !== 'op') return undefined;
  const [x, y] = a.args;
  if (x === undefined) return undefined;
  if (y === undefined) return undefined;
  switch (a.op) {
    case 'pack64':
      return x;
    case 'add64':
      return g.op('add32', g.op('low64', x), g.op('low64', y));
    case 'sub64':
      return g.op('sub32', g.op('low64', x), g.op('low64', y));
    case 'mulWideU32':
    case 'mulWideS32':
      return g.op('mul32', x, y);
    default:
      return undefined;
  }
}

function highHalf(g: Graph, a: Value): Value | undefined {
  if (a.kind !== 'op') return undefined;
  const [x, y] = a.args;
  if (a.op === 'ballot' && g.waveSize === 32) return g.i32(0);
  if (x === undefined || y === undefined) return undefined;
  switch (a.op) {
    case 'pack64':
      return y;
    case 'mulWideU32':
      return g.op('mulHiU32', x, y);
    case 'mulWideS32':
      return g.op('mulHiS32', x, y);
    default:
      return undefined;
  }
}

/** Two dwords that are the halves of one value. */
function joinHalves(g: Graph, low: Value, high: Value): Value | undefined {
  const whole = argumentOf(high, 'high64', 0);
  if (whole !== undefined && g.op('low64', whole) === low) return whole;
  const lowWhole = argumentOf(low, 'low64', 0);
  if (lowWhole !== undefined && g.op('high64', lowWhole) === high) return lowWhole;
  const [x, y] = argumentsOf(high, 'mulHiU32');
  if (x !== undefined && y !== undefined && g.op('mul32', x, y) === low) return g.op('mulWideU32', x, y);
  return undefined;
}

function simplifyBallot(g: Graph, a: Value): Value | undefined {
  if (a.kind === 'const') return a.low === 0 ? g.i64(0, 0) : g.i64(ONES, g.waveSize === 64 ? ONES : 0);
  const mask = argumentOf(a, 'inverseBallot', 0);
  if (mask === undefined) return undefined;
  return g.waveSize === 64 ? mask : g.op('pack64', g.op('low64', mask), g.i32(0));
}

/** Lane masks of combined wave masks are combined lane masks. */
function simplifyInverseBallot(g: Graph, a: Value): Value | undefined {
  if (a.kind === 'const') {
    const full = a.low === ONES && (g.waveSize === 32 || a.high === ONES);
    const empty = a.low === 0 && (g.waveSize === 32 || a.high === 0);
    return full ? g.bool(1) : empty ? g.bool(0) : undefined;
  }
  const lanes = argumentOf(a, 'ballot', 0);
  if (lanes !== undefined) return lanes;
  const [low, high] = argumentsOf(a, 'pack64');
  if (low === undefined || high === undefined) return undefined;
  if (g.waveSize === 32) {
    const whole = argumentOf(low, 'low64', 0);
    if (whole !== undefined) return g.op('inverseBallot', whole);
    return isConst(high, 0) ? distribute(g, low, low) : g.op('inverseBallot', g.op('pack64', low, g.i32(0)));
  }
  return distribute(g, low, high);
}

const LOGIC = { and32: 'and', or32: 'or', xor32: 'xor' } as const;

function distribute(g: Graph, low: Value, high: Value): Value | undefined {
  if (low.kind !== 'op' || high.kind !== 'op' || low.op !== high.op) return undefined;
  const part = (x: Value, y: Value): Value => g.op('inverseBallot', g.op('pack64', x, g.waveSize === 64 ? y : g.i32(0)));
  const [a, b, c] = low.args;
  const [d, e, f] = high.args;
  if (a === undefined || b === undefined || d === undefined || e === undefined) return undefined;
  switch (low.op) {
    case 'and32':
    case 'or32':
    case 'xor32':
      return g.op(LOGIC[low.op], part(a, d), part(b, e));
    case 'select32': {
      if (c === undefined || f === undefined || a !== d) return undefined;
      const [yes, no] = [part(b, e), part(c, f)];
      return g.op('or', g.op('and', yes, a), g.op('and', no, g.op('not', a)));
    }
    default:
      return undefined;
  }
}

function isConst(value: Value, low: number, high = 0): boolean {
  return value.kind === 'const' && value.low === low && value.high === high;
}

const NONE: readonly Value[] = [];

/** The arguments of `value` if it is the result of operation `name`. */
function argumentsOf(value: Value, name: OpName): readonly Value[] {
  return value.kind === 'op' && value.op === name ? value.args : NONE;
}

function argumentOf(value: Value, name: OpName, index: number): Value | undefined {
  return value.kind === 'op' && value.op === name ? value.args[index] : undefined;
}

/** The constant and the other argument of a commutative operation. */
function constantOf(value: Value, name: OpName): { readonly rest: Value; readonly constant: Value } | undefined {
  const [rest, constant] = argumentsOf(value, name);
  return rest !== undefined && constant?.kind === 'const' ? { rest, constant } : undefined;
}
