/**
 * The value graph of one block: hash-consed nodes, constants folded with the operations' own definitions, cheap identities applied.
 * What leaves here is canonical: constants are the right argument of commutative operations, wave masks that become lane masks
 * again are the lane mask, and 64-bit values built from halves are 64-bit operations where the halves belong together.
 */
import { InternalError } from '@doorbell/abi';
import type { RegisterFile, Value } from './block.js';
import { simplify } from './identities.js';
import { OP_FUNCTIONS, wide } from './op-functions.js';
import type { OpInfo, OpName, ValueType } from './ops.js';
import { OPS } from './ops.js';

/** Keys of the hash table beyond the operations: constants by type, register reads by file, blends. */
const CODE_CONST = { i32: 1000, i64: 1001, bool: 1002 } as const;
const CODE_READ = { sgpr: 1010, vgpr: 1011, scc: 1012 } as const;
const CODE_BLEND = 1020;

const OP_CODES: ReadonlyMap<OpName, number> = new Map(
  // Safe: the keys of the table are the names.
  (Object.keys(OPS) as OpName[]).map((name, index) => [name, index]),
);

/** A node while its block is built: its number may still change. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Nodes of one block. */
export class Graph {
  readonly waveSize: 32 | 64;
  readonly nodes: Value[] = [];
  /** For each i32 node the bits known to be 0. */
  #knownZero = new Uint32Array(64);
  #table = new Int32Array(128);
  #keys = new Int32Array(256);

  constructor(waveSize: 32 | 64) {
    this.waveSize = waveSize;
  }

  i32(value: number): Value {
    return this.#constant('i32', value >>> 0, 0);
  }

  i64(low: number, high: number): Value {
    return this.#constant('i64', low >>> 0, high >>> 0);
  }

  bool(value: 0 | 1): Value {
    return this.#constant('bool', value, 0);
  }

  /** The register's value at block entry. */
  read(file: RegisterFile, index: number): Value {
    const found = this.#find(CODE_READ[file], index, 0, 0);
    if (found !== undefined) return found;
    return this.#insert({
      kind: 'read',
      id: this.nodes.length,
      type: file === 'scc' ? 'bool' : 'i32',
      uniform: file !== 'vgpr',
      file,
      index,
    });
  }

  /** A node of an operation, or what it folds to. */
  op(name: OpName, a?: Value, b?: Value, c?: Value): Value {
    const info: OpInfo = OPS[name];
    checkArguments(name, info.args, a, b, c);
    if (a?.kind === 'const' && (b === undefined || b.kind === 'const') && (c === undefined || c.kind === 'const')) {
      const fold = OP_FUNCTIONS[name];
      if (fold !== undefined) {
        const low = fold(a.low, a.high, b?.low ?? 0, b?.high ?? 0, c?.low ?? 0, c?.high ?? 0);
        return this.#constant(info.result, low, info.result === 'i64' ? wide.high : 0);
      }
    }
    return simplify(this, name, a, b, c) ?? this.raw(name, a, b, c);
  }

  /** The node itself, hash-consed, no identities applied. */
  raw(name: OpName, a?: Value, b?: Value, c?: Value): Value {
    const code = OP_CODES.get(name) ?? -1;
    const found = this.#find(code, a?.id ?? -1, b?.id ?? -1, c?.id ?? -1);
    if (found !== undefined) return found;
    const info: OpInfo = OPS[name];
    const args = a === undefined ? [] : b === undefined ? [a] : c === undefined ? [a, b] : [a, b, c];
    const uniform =
      info.reduces === true || (info.perLane !== true && (a?.uniform ?? true) && (b?.uniform ?? true) && (c?.uniform ?? true));
    return this.#insert({ kind: 'op', id: this.nodes.length, type: info.result, uniform, op: name, args });
  }

  /** `value` where `mask` holds, else `old`: a register write under EXEC. */
  blend(mask: Value, value: Value, old: Value): Value {
    // Lanes outside the mask keep what was there before the first of two writes under the same mask.
    const base = old.kind === 'blend' && old.mask === mask ? old.old : old;
    if (value === base) return value;
    const found = this.#find(CODE_BLEND, mask.id, value.id, base.id);
    if (found !== undefined) return found;
    return this.#insert({
      kind: 'blend',
      id: this.nodes.length,
      type: 'i32',
      uniform: mask.uniform && value.uniform && base.uniform,
      mask,
      value,
      old: base,
    });
  }

  /** Adds a node with an effect: never shared. */
  effect<T extends Value>(node: T): T {
    this.#append(node, 0, 0, 0, 0);
    return node;
  }

  /** The bits of an i32 value that are 0 for certain. */
  knownZero(value: Value): number {
    return this.#knownZero[value.id] ?? 0;
  }

  /** Keeps the nodes that `roots` need, in order, and numbers them anew. The graph is of no use afterwards. */
  prune(roots: readonly Value[]): Value[] {
    const live = new Uint8Array(this.nodes.length);
    for (const root of roots) live[root.id] = 1;
    for (let id = this.nodes.length - 1; id >= 0; id--) {
      const node = this.nodes[id];
      if (live[id] === 1 && node !== undefined) markArguments(node, live);
    }
    const kept: Value[] = [];
    for (let id = 0; id < this.nodes.length; id++) {
      const node = this.nodes[id];
      if (live[id] !== 1 || node === undefined) continue;
      (node as Mutable<Value>).id = kept.length; // Safe: the graph owns its nodes.
      kept.push(node);
    }
    return kept;
  }

  #constant(type: ValueType, low: number, high: number): Value {
    const found = this.#find(CODE_CONST[type], low | 0, high | 0, 0);
    if (found !== undefined) return found;
    return this.#insert({ kind: 'const', id: this.nodes.length, type, uniform: true, low, high });
  }

  /** The last key that {@link #find} looked for, for the insertion that follows a miss. */
  #code = 0;
  #k0 = 0;
  #k1 = 0;
  #k2 = 0;

  // hot
  #find(code: number, k0: number, k1: number, k2: number): Value | undefined {
    this.#code = code;
    this.#k0 = k0;
    this.#k1 = k1;
    this.#k2 = k2;
    const table = this.#table;
    const keys = this.#keys;
    const mask = table.length - 1;
    for (let slot = hash(code, k0, k1, k2) & mask; ; slot = (slot + 1) & mask) {
      const entry = table[slot] ?? 0;
      if (entry === 0) return undefined;
      const key = (entry - 1) * 4;
      if (keys[key] === code && keys[key + 1] === k0 && keys[key + 2] === k1 && keys[key + 3] === k2) {
        return this.nodes[entry - 1];
      }
    }
  }

  #insert(node: Value): Value {
    const id = this.#append(node, this.#code, this.#k0, this.#k1, this.#k2);
    this.#enter(id);
    return node;
  }

  #append(node: Value, code: number, k0: number, k1: number, k2: number): number {
    const id = this.nodes.length;
    if (id >= this.#knownZero.length) this.#grow();
    this.nodes.push(node);
    const key = id * 4;
    this.#keys[key] = code;
    this.#keys[key + 1] = k0;
    this.#keys[key + 2] = k1;
    this.#keys[key + 3] = k2;
    this.#knownZero[id] = node.type === 'i32' ? zeroBits(this, node) : 0;
    return id;
  }

  #enter(id: number): void {
    const mask = this.#table.length - 1;
    const key = id * 4;
    const keys = this.#keys;
    let slot = hash(keys[key] ?? 0, keys[key + 1] ?? 0, keys[key + 2] ?? 0, keys[key + 3] ?? 0) & mask;
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
    this.#table[slot] = id + 1;
  }

  #grow(): void {
    const size = this.#knownZero.length * 2;
    const knownZero = new Uint32Array(size);
    knownZero.set(this.#knownZero);
    this.#knownZero = knownZero;
    const keys = new Int32Array(size * 4);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#table = new Int32Array(size * 2);
    for (let id = 0; id < this.nodes.length; id++) {
      const kind = this.nodes[id]?.kind;
      if (kind === 'const' || kind === 'read' || kind === 'op' || kind === 'blend') this.#enter(id);
    }
  }
}

function hash(code: number, k0: number, k1: number, k2: number): number {
  let h = Math.imul(code, 0x9e3779b1) ^ Math.imul(k0, 0x85ebca6b) ^ Math.imul(k1, 0xc2b2ae35) ^ Math.imul(k2, 0x27d4eb2f);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}

function checkArguments(name: OpName, types: readonly ValueType[], a?: Value, b?: Value, c?: Value): void {
  if (a?.type === types[0] && b?.type === types[1] && c?.type === types[2]) return;
  throw new InternalError(`${name} takes (${types.join(', ')}), not (${[a?.type, b?.type, c?.type].join(', ')})`);
}

function markArguments(node: Value, live: Uint8Array): void {
  switch (node.kind) {
    case 'const':
    case 'read':
    case 'clock':
      return;
    case 'op':
    case 'matrix':
      // Counted: for a thread's first kernel this is interpreted, and an iterator costs more than the loop.
      for (let i = 0; i < node.args.length; i++) live[node.args[i]?.id ?? 0] = 1;
      return;
    case 'part':
      live[node.of.id] = 1;
      return;
    case 'blend':
      live[node.mask.id] = live[node.value.id] = live[node.old.id] = 1;
      return;
    case 'load':
    case 'atomic':
      for (const part of [node.address.base, node.address.offset, node.address.vector, node.mask]) {
        if (part !== undefined) live[part.id] = 1;
      }
      if (node.kind === 'atomic') {
        live[node.data.id] = 1;
        if (node.compare !== undefined) live[node.compare.id] = 1;
      }
      return;
    default:
      node satisfies never;
  }
}

/** Bits that are 0 whatever the arguments are. */
function zeroBits(graph: Graph, node: Value): number {
  if (node.kind === 'const') return ~node.low >>> 0;
  if (node.kind === 'load') return node.bits >= 32 ? 0 : (0xffff_ffff << node.bits) >>> 0;
  if (node.kind === 'blend') return (graph.knownZero(node.value) & graph.knownZero(node.old)) >>> 0;
  if (node.kind !== 'op') return 0;
  const { args } = node;
  const a = args[0];
  const b = args[1];
  const c = args[2];
  if (node.op === 'laneId') return ~(graph.waveSize - 1) >>> 0;
  if (a === undefined) return 0;
  switch (node.op) {
    case 'and32':
      return b === undefined ? 0 : (graph.knownZero(a) | graph.knownZero(b)) >>> 0;
    case 'or32':
    case 'xor32':
    case 'maxU32':
      return b === undefined ? 0 : (graph.knownZero(a) & graph.knownZero(b)) >>> 0;
    case 'select32':
      return b === undefined || c === undefined ? 0 : (graph.knownZero(b) & graph.knownZero(c)) >>> 0;
    case 'shl32': {
      if (b?.kind !== 'const') return 0;
      const shift = b.low & 31;
      return ((graph.knownZero(a) << shift) | ((1 << shift) - 1)) >>> 0;
    }
    case 'shrU32': {
      if (b?.kind !== 'const') return 0;
      const shift = b.low & 31;
      return shift === 0 ? graph.knownZero(a) : ((graph.knownZero(a) >>> shift) | ~(0xffff_ffff >>> shift)) >>> 0;
    }
    case 'add32': {
      if (b === undefined) return 0;
      const both = graph.knownZero(a) & graph.knownZero(b);
      const low = trailingOnes(both);
      const high = Math.max(0, Math.clz32(~both) - 1);
      return ((low >= 32 ? -1 : (1 << low) - 1) | (high === 0 ? 0 : -1 << (32 - high))) >>> 0;
    }
    case 'f32ToF16':
    case 'f64ToF16':
      return 0xffff_0000;
    case 'clz32':
    case 'ctz32':
    case 'popcnt32':
    case 'clz64':
    case 'ctz64':
    case 'popcnt64':
      return ~0x7f >>> 0;
    default:
      return 0;
  }
}

function trailingOnes(bits: number): number {
  const inverted = ~bits;
  return inverted === 0 ? 32 : 31 - Math.clz32(inverted & -inverted);
}
