/**
 * The graph of WebAssembly operations of one block: hash-consed, constants folded, emitted on demand. A node that several others use
 * gets a local the first time it is emitted; nodes first emitted inside an `if` are forgotten at its end.
 *
 * Over 500 lines: making nodes and emitting them share the columns that nodes are kept in, which are private for speed.
 */
import { OP, type WasmType } from '../wasm/opcodes.js';
import { addZeros, foldI32, hasLane, resultType, trailingOnes, TYPE_LIST, T_I32, T_I64, T_V128 } from './dag-rules.js';
import type { LocalPool } from './local-pool.js';
import type { FunctionBody } from '../wasm/module-builder.js';

/** Nodes deeper than this get a local, so that emission does not recurse without bound. */
const DEPTH_STEP = 64;

export class Dag {
  /** The count of nodes; node 0 is the i32 constant 0. */
  size = 0;
  #op = new Int32Array(1024);
  #a = new Int32Array(1024);
  #b = new Int32Array(1024);
  #c = new Int32Array(1024);
  #imm = new Int32Array(1024);
  #type = new Uint8Array(1024);
  #depth = new Uint16Array(1024);
  #uses = new Int32Array(1024);
  #local = new Int32Array(1024);
  /** Known zero bits of i32 nodes. */
  #zeros = new Uint32Array(1024);
  #table = new Int32Array(4096);
  readonly #scope: number[] = [];
  body: FunctionBody | undefined;
  pool: LocalPool | undefined;

  constructor() {
    this.reset();
  }

  /** Forgets all nodes. */
  reset(): void {
    this.#table.fill(0);
    this.#scope.length = 0;
    this.size = 0;
    this.i32(0);
  }

  i32(value: number): number {
    return this.#node(OP.i32Const, 0, 0, 0, value | 0, T_I32);
  }
  i64(low: number, high: number): number {
    return this.#node(OP.i64Const, low | 0, high | 0, 0, 0, T_I64);
  }
  v128(x: number, y: number, z: number, w: number): number {
    return this.#node(OP.v128Const, x | 0, y | 0, z | 0, w | 0, T_V128);
  }
  splatConst(value: number): number {
    return this.v128(value, value, value, value);
  }
  /** The value of a local that does not change while the block runs. */
  get(local: number, type: WasmType, zeros = 0): number {
    const node = this.#node(OP.localGet, local, 0, 0, 0, TYPE_LIST.indexOf(type));
    this.#zeros[node] = (this.#zeros[node] ?? 0) | zeros;
    return node;
  }

  /** A node that is like no other: stands for a value that facts say nothing about. */
  fresh(type: WasmType, zeros = 0): number {
    const node = this.#append(OP.localGet, 0, 0, 0, 0, TYPE_LIST.indexOf(type));
    this.#zeros[node] = zeros;
    return node;
  }

  isConst(node: number): boolean {
    return this.#op[node] === OP.i32Const;
  }
  /** The value of an i32 constant, signed; undefined for other nodes. */
  constant(node: number): number | undefined {
    return this.#op[node] === OP.i32Const ? this.#imm[node] : undefined;
  }
  constant64(node: number): { low: number; high: number } | undefined {
    return this.#op[node] === OP.i64Const ? { low: this.#a[node] ?? 0, high: this.#b[node] ?? 0 } : undefined;
  }
  zeros(node: number): number {
    return this.#zeros[node] ?? 0;
  }
  opcode(node: number): number {
    return this.#op[node] ?? 0;
  }
  arg(node: number, index: 0 | 1 | 2): number {
    return (index === 0 ? this.#a : index === 1 ? this.#b : this.#c)[node] ?? 0;
  }
  isLocal(node: number): boolean {
    return this.#op[node] === OP.localGet;
  }
  /** The nodes that a node is computed from. */
  argumentsOf(node: number): readonly number[] {
    const op = this.#op[node];
    if (op === OP.i32Const || op === OP.i64Const || op === OP.v128Const || op === OP.localGet) return [];
    return [this.#a[node] ?? -1, this.#b[node] ?? -1, this.#c[node] ?? -1].filter((argument) => argument >= 0);
  }
  immediate(node: number): number {
    return this.#imm[node] ?? 0;
  }
  typeOf(node: number): number {
    return this.#type[node] ?? 0;
  }

  unary(op: number, a: number): number {
    return this.#foldUnary(op, a) ?? this.#node(op, a, -1, -1, 0, resultType(op));
  }
  binary(op: number, a: number, b: number): number {
    const folded = this.#foldBinary(op, a, b);
    if (folded !== undefined) return folded;
    const node = this.#node(op, a, b, -1, 0, resultType(op));
    return this.#zeros[node] === 0xffff_ffff ? this.i32(0) : node;
  }
  ternary(op: number, a: number, b: number, c: number): number {
    return this.#node(op, a, b, c, 0, op === OP.select ? this.typeOf(a) : resultType(op));
  }
  /** An operation with an immediate lane number. */
  lane(op: number, lane: number, a: number, b = -1): number {
    return this.#node(op, a, b, -1, lane, resultType(op));
  }
  /** A call of a pure function with up to three arguments; its result type must be i32. */
  call(fn: number, a: number, b = -1, c = -1): number {
    return this.#node(OP.call, a, b, c, fn, T_I32);
  }
  /** The same with i64 arguments and result. */
  callWide(fn: number, a: number, b: number, c: number): number {
    return this.#node(OP.call, a, b, c, fn, T_I64);
  }
  /** A load of what does not change while the block runs. */
  load(op: number, address: number, offset: number): number {
    return this.#node(op, address, -1, -1, offset, op === OP.i64Load ? T_I64 : op === OP.v128Load ? T_V128 : T_I32);
  }
  /** Dwords `x`, `y`, `z`, `w` of the eight dwords of `a`, `b`. */
  shuffle(a: number, b: number, x: number, y: number, z: number, w: number): number {
    return this.#node(OP.i8x16Shuffle, a, b, -1, x | (y << 3) | (z << 6) | (w << 9), T_V128);
  }
  select(condition: number, yes: number, no: number): number {
    const known = this.constant(condition);
    if (known !== undefined) return known !== 0 ? yes : no;
    return yes === no ? yes : this.ternary(OP.select, yes, no, condition);
  }

  /** Says that something will take the node's value: nodes with several uses get a local. */
  use(node: number): void {
    this.#uses[node] = (this.#uses[node] ?? 0) + 1;
  }

  /** Begins an arm of an `if`. */
  openScope(): number {
    return this.#scope.length;
  }
  /** Ends it: what was first computed inside is not available any more. */
  closeScope(mark: number): void {
    for (let i = this.#scope.length - 1; i >= mark; i--) this.#local[this.#scope[i] ?? 0] = -1;
    this.#scope.length = mark;
  }

  /** Computes the node into a local (unless it is a constant or a local's value). */
  settle(node: number): void {
    const op = this.#op[node];
    if (op === OP.i32Const || op === OP.i64Const || op === OP.v128Const || op === OP.localGet) return;
    if ((this.#local[node] ?? -1) >= 0) return;
    const { body, pool } = this.#target();
    this.#emitArguments(node);
    const local = pool.take(this.typeOf(node));
    body.set(local);
    this.#local[node] = local;
    this.#scope.push(node);
  }

  /** A node for a value that was just computed onto the stack. */
  fromStack(type: WasmType, zeros = 0): number {
    const { body, pool } = this.#target();
    const index = TYPE_LIST.indexOf(type);
    const local = pool.take(index);
    body.set(local);
    const node = this.#append(OP.localGet, local, 0, 0, 0, index);
    this.#zeros[node] = zeros;
    return node;
  }

  /** Pushes the node's value. */
  emit(node: number): void {
    const { body, pool } = this.#target();
    const local = this.#local[node] ?? -1;
    if (local >= 0) {
      body.get(local);
      return;
    }
    const op = this.#op[node] ?? 0;
    switch (op) {
      case OP.i32Const:
        body.i32(this.#imm[node] ?? 0);
        return;
      case OP.i64Const:
        body.i64(this.#a[node] ?? 0, this.#b[node] ?? 0);
        return;
      case OP.v128Const:
        body.v128([this.#a[node] ?? 0, this.#b[node] ?? 0, this.#c[node] ?? 0, this.#imm[node] ?? 0]);
        return;
      case OP.localGet:
        body.get(this.#a[node] ?? 0);
        return;
      default:
    }
    if ((this.#depth[node] ?? 0) >= DEPTH_STEP) this.#settleDeep(node);
    this.#emitArguments(node);
    if ((this.#uses[node] ?? 0) > 1) {
      const fresh = pool.take(this.typeOf(node));
      body.tee(fresh);
      this.#local[node] = fresh;
      this.#scope.push(node);
    }
  }

  #emitArguments(node: number): void {
    const body = this.#target().body;
    const op = this.#op[node] ?? 0;
    const b = this.#b[node] ?? -1;
    const c = this.#c[node] ?? -1;
    this.emit(this.#a[node] ?? 0);
    if (b >= 0) this.emit(b);
    if (c >= 0) this.emit(c);
    const imm = this.#imm[node] ?? 0;
    if (op === OP.call) {
      body.call(imm);
      return;
    }
    if (op === OP.i32Load8U) {
      body.access(op, 0, imm);
      return;
    }
    if (op === OP.i32Load || op === OP.i64Load || op === OP.v128Load) {
      body.access(op, 2, imm);
      return;
    }
    body.op(op);
    if (op === OP.i8x16Shuffle) {
      for (let i = 0; i < 4; i++) {
        const dword = (imm >> (3 * i)) & 7;
        for (let byte = 0; byte < 4; byte++) body.code.byte(dword * 4 + byte);
      }
    } else if (hasLane(op)) body.code.byte(imm);
  }

  /** Settles the deep descendants of a deep node, lowest first. */
  #settleDeep(root: number): void {
    const seen = new Set<number>();
    const todo = [root];
    const deep: number[] = [];
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      const op = this.#op[node] ?? 0;
      if (op === OP.i32Const || op === OP.i64Const || op === OP.v128Const || op === OP.localGet) continue;
      for (const child of [this.#a[node] ?? -1, this.#b[node] ?? -1, this.#c[node] ?? -1]) {
        if (child < 0 || seen.has(child) || (this.#local[child] ?? -1) >= 0) continue;
        if ((this.#depth[child] ?? 0) < DEPTH_STEP / 2) continue;
        seen.add(child);
        todo.push(child);
        if ((this.#depth[child] ?? 0) % (DEPTH_STEP / 2) === 0) deep.push(child);
      }
    }
    deep.sort((x, y) => x - y);
    for (const node of deep) this.settle(node);
  }

  #target(): { body: FunctionBody; pool: LocalPool } {
    if (this.body === undefined || this.pool === undefined) throw new RangeError('A graph without a function cannot be emitted.');
    return { body: this.body, pool: this.pool };
  }

  // hot
  #node(op: number, a: number, b: number, c: number, imm: number, type: number): number {
    let h = Math.imul(op, 0x9e3779b1) ^ Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
    h = h ^ Math.imul(c, 0x27d4eb2f) ^ Math.imul(imm, 0x165667b1);
    h ^= h >>> 15;
    const mask = this.#table.length - 1;
    for (let slot = h & mask; ; slot = (slot + 1) & mask) {
      const entry = (this.#table[slot] ?? 0) - 1;
      if (entry < 0) {
        const node = this.#append(op, a, b, c, imm, type);
        if (this.size * 2 > this.#table.length) this.#rehash();
        else this.#table[slot] = node + 1;
        return node;
      }
      if (
        this.#op[entry] === op &&
        this.#a[entry] === a &&
        this.#b[entry] === b &&
        this.#c[entry] === c &&
        this.#imm[entry] === imm &&
        this.#type[entry] === type
      ) {
        return entry;
      }
    }
  }

  #append(op: number, a: number, b: number, c: number, imm: number, type: number): number {
    const node = this.size++;
    if (node >= this.#op.length) this.#grow();
    this.#op[node] = op;
    this.#a[node] = a;
    this.#b[node] = b;
    this.#c[node] = c;
    this.#imm[node] = imm;
    this.#type[node] = type;
    this.#uses[node] = 0;
    this.#local[node] = -1;
    this.#zeros[node] = 0;
    this.#depth[node] = 0;
    if (op === OP.i32Const) this.#zeros[node] = ~imm;
    else if (op !== OP.v128Const && op !== OP.i64Const && op !== OP.localGet) {
      this.use(a);
      if (b >= 0) this.use(b);
      if (c >= 0) this.use(c);
      const depth = Math.max(this.#depth[a] ?? 0, b >= 0 ? (this.#depth[b] ?? 0) : 0, c >= 0 ? (this.#depth[c] ?? 0) : 0);
      this.#depth[node] = Math.min(depth + 1, 0xffff);
      if (type === T_I32) this.#zeros[node] = this.#zeroBits(op, a, b);
    }
    return node;
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2);
    const mask = table.length - 1;
    this.#table = table;
    for (let node = 0; node < this.size; node++) {
      let h = Math.imul(this.#op[node] ?? 0, 0x9e3779b1) ^ Math.imul(this.#a[node] ?? 0, 0x85ebca6b);
      h = h ^ Math.imul(this.#b[node] ?? 0, 0xc2b2ae35) ^ Math.imul(this.#c[node] ?? 0, 0x27d4eb2f);
      h ^= Math.imul(this.#imm[node] ?? 0, 0x165667b1);
      h ^= h >>> 15;
      let slot = h & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = node + 1;
    }
  }

  #grow(): void {
    const size = this.#op.length * 2;
    const wider = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const next = new Int32Array(size);
      next.set(old);
      return next;
    };
    this.#op = wider(this.#op);
    this.#a = wider(this.#a);
    this.#b = wider(this.#b);
    this.#c = wider(this.#c);
    this.#imm = wider(this.#imm);
    this.#uses = wider(this.#uses);
    this.#local = wider(this.#local);
    const zeros = new Uint32Array(size);
    zeros.set(this.#zeros);
    this.#zeros = zeros;
    const type = new Uint8Array(size);
    type.set(this.#type);
    this.#type = type;
    const depth = new Uint16Array(size);
    depth.set(this.#depth);
    this.#depth = depth;
  }

  #zeroBits(op: number, a: number, b: number): number {
    const za = this.#zeros[a] ?? 0;
    const zb = b >= 0 ? (this.#zeros[b] ?? 0) : 0;
    const amount = b >= 0 ? this.constant(b) : undefined;
    switch (op) {
      case OP.i32And:
        return za | zb;
      case OP.i32Or:
      case OP.i32Xor:
      case OP.select:
        return za & zb;
      case OP.i32Add:
        return addZeros(za, zb);
      case OP.i32Mul:
        return (1 << Math.min(31, trailingOnes(za) + trailingOnes(zb))) - 1;
      case OP.i32Shl:
        return amount === undefined ? 0 : (za << (amount & 31)) | ((1 << (amount & 31)) - 1);
      case OP.i32ShrU: {
        const shift = (amount ?? 0) & 31;
        return amount === undefined ? 0 : shift === 0 ? za : (za >>> shift) | ~(-1 >>> shift);
      }
      case OP.i32ShrS: {
        const shift = (amount ?? 0) & 31;
        return amount === undefined || za >>> 31 === 0 ? 0 : shift === 0 ? za : (za >>> shift) | ~(-1 >>> shift);
      }
      case OP.i32Load8U:
        return ~0xff;
      case OP.i32Load16U:
        return ~0xffff;
      case OP.i32Eqz:
      case OP.v128AnyTrue:
      case OP.i32x4AllTrue:
        return ~1;
      case OP.i32Clz:
      case OP.i32Ctz:
      case OP.i32Popcnt:
        return ~0x3f;
      case OP.i32x4Bitmask:
        return ~0xf;
      default:
        return op >= OP.i32Eq && op <= OP.f64Le ? ~1 : 0;
    }
  }

  #foldUnary(op: number, a: number): number | undefined {
    const inner = this.#op[a];
    const value = this.constant(a);
    switch (op) {
      case OP.i32Eqz:
        return value === undefined ? undefined : this.i32(value === 0 ? 1 : 0);
      case OP.i32ReinterpretF32:
        return inner === OP.f32ReinterpretI32 ? this.#a[a] : undefined;
      case OP.f32ReinterpretI32:
        return inner === OP.i32ReinterpretF32 ? this.#a[a] : undefined;
      case OP.i64ReinterpretF64:
        return inner === OP.f64ReinterpretI64 ? this.#a[a] : undefined;
      case OP.f64ReinterpretI64:
        return inner === OP.i64ReinterpretF64 ? this.#a[a] : undefined;
      case OP.i64ExtendI32U:
        return value === undefined ? undefined : this.i64(value, 0);
      case OP.i64ExtendI32S:
        return value === undefined ? undefined : this.i64(value, value >> 31);
      case OP.i32WrapI64:
        if (inner === OP.i64Const) return this.i32(this.#a[a] ?? 0);
        return inner === OP.i64ExtendI32U || inner === OP.i64ExtendI32S ? this.#a[a] : undefined;
      case OP.i32x4Splat:
        return value === undefined ? undefined : this.splatConst(value);
      case OP.v128Not:
        return inner === OP.v128Not ? this.#a[a] : undefined;
      default:
        return undefined;
    }
  }

  #foldBinary(op: number, a: number, b: number): number | undefined {
    const x = this.constant(a);
    const y = this.constant(b);
    if (x !== undefined && y !== undefined) {
      const folded = foldI32(op, x, y);
      if (folded !== undefined) return this.i32(folded);
    }
    if (x !== undefined && y === undefined && (op === OP.i32Add || op === OP.i32And || op === OP.i32Or || op === OP.i32Xor)) {
      return this.binary(op, b, a);
    }
    switch (op) {
      case OP.i32Add:
        if (y === 0) return a;
        if (y !== undefined && this.#op[a] === OP.i32Add) {
          const z = this.constant(this.#b[a] ?? 0);
          if (z !== undefined) return this.binary(OP.i32Add, this.#a[a] ?? 0, this.i32(y + z));
        }
        return undefined;
      case OP.i32Sub:
        return y === undefined ? (a === b ? this.i32(0) : undefined) : this.binary(OP.i32Add, a, this.i32(-y));
      case OP.i32Shl:
      case OP.i32ShrU:
      case OP.i32ShrS:
        return y !== undefined && (y & 31) === 0 ? a : undefined;
      case OP.i32Mul:
        if (y === 1) return a;
        if (x === 1) return b;
        return y === 0 || x === 0 ? this.i32(0) : undefined;
      case OP.i32Or:
        return y === 0 || a === b ? a : undefined;
      case OP.i32Xor:
        return y === 0 ? a : undefined;
      case OP.i32And:
        if (y === 0) return b;
        if (y === -1 || a === b) return a;
        return y !== undefined && (~(this.#zeros[a] ?? 0) & ~y) === 0 ? a : undefined;
      case OP.i64Add: {
        const c = this.constant64(b);
        if (c?.low === 0 && c.high === 0) return a;
        const d = this.constant64(a);
        return d?.low === 0 && d.high === 0 ? b : undefined;
      }
      case OP.v128And:
        if (a === b || this.#isAll(b, -1)) return a;
        if (this.#isAll(a, -1)) return b;
        if (this.#isAll(a, 0)) return a;
        if (this.#isAll(b, 0)) return b;
        if (this.#op[b] === OP.v128And && (this.#a[b] === a || this.#b[b] === a)) return b;
        if (this.#op[a] === OP.v128And && (this.#a[a] === b || this.#b[a] === b)) return a;
        if (this.#op[b] === OP.v128Not) return this.binary(OP.v128Andnot, a, this.#a[b] ?? 0);
        return this.#op[a] === OP.v128Not ? this.binary(OP.v128Andnot, b, this.#a[a] ?? 0) : undefined;
      case OP.v128Or:
        if (a === b || this.#isAll(b, 0)) return a;
        if (this.#isAll(a, 0)) return b;
        if (this.#isAll(a, -1)) return a;
        return this.#isAll(b, -1) ? b : undefined;
      case OP.v128Xor:
        if (this.#isAll(b, -1)) return this.unary(OP.v128Not, a);
        if (this.#isAll(b, 0)) return a;
        return this.#isAll(a, 0) ? b : undefined;
      case OP.i32x4Add:
      case OP.i32x4Sub:
        return this.#isAll(b, 0) ? a : op === OP.i32x4Add && this.#isAll(a, 0) ? b : undefined;
      case OP.i32x4Shl:
      case OP.i32x4ShrU:
      case OP.i32x4ShrS:
        return y !== undefined && (y & 31) === 0 ? a : undefined;
      default:
        return undefined;
    }
  }

  #isAll(node: number, value: number): boolean {
    return (
      this.#op[node] === OP.v128Const &&
      this.#a[node] === value &&
      this.#b[node] === value &&
      this.#c[node] === value &&
      this.#imm[node] === value
    );
  }
}
