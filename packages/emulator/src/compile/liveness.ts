/**
 * Which registers matter at the entry of a block. A VGPR is live if an active lane of it may be read, inactive-live if a lane that is
 * not in EXEC now may be read once EXEC has grown. A write under EXEC needs the old value only in a register that is inactive-live.
 */
import { InternalError } from '@doorbell/abi';
import type { Value } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { Cfg, CfgBlock } from './cfg.js';
import { isExecMask } from './exec-mask.js';
import { FIRST_VGPR, SCC, isVgpr } from './registers.js';

/** How a block changes EXEC at its end. */
type ExecChange = 'none' | 'shrinks' | 'grows' | 'any';

export interface Liveness {
  readonly registerCount: number;
  /** Registers live, inactive-live at entry. */
  readonly live: RegisterSets;
  readonly inactive: RegisterSets;
  /** The same after the block's writes, before its change of EXEC. */
  readonly liveAtEnd: RegisterSets;
  readonly inactiveAtEnd: RegisterSets;
  /** By block: the registers that are live or inactive-live at entry, ascending. */
  readonly carried: readonly (readonly number[])[];
}

export function analyseLiveness(cfg: Cfg, vgprCount: number): Liveness {
  const registerCount = FIRST_VGPR + vgprCount;
  const sets = (): RegisterSets => new RegisterSets(cfg.blocks.length, registerCount);
  const results: Results = { live: sets(), inactive: sets(), liveAtEnd: sets(), inactiveAtEnd: sets() };
  const uses: Uses = { uses: sets(), fullUses: sets(), kills: sets(), fullKills: sets() };
  const changes = cfg.blocks.map((block) => noteUse(block, uses));
  new Flow(cfg, registerCount, { results, uses, changes }).solve();
  return { registerCount, ...results, carried: cfg.blocks.map((_, block) => union(results.live, results.inactive, block)) };
}

/** A set of registers for each block: a bit for each register, so that logic works on 32 at a time. All registers are below `registerCount`. */
class RegisterSets {
  readonly words: Int32Array;
  /** Words of one block. */
  readonly stride: number;
  readonly #registerCount: number;

  constructor(blocks: number, registerCount: number) {
    this.#registerCount = registerCount;
    this.stride = (registerCount + 31) >> 5;
    this.words = new Int32Array(blocks * this.stride);
  }

  has(block: number, register: number): boolean {
    return (((this.words[block * this.stride + (register >> 5)] ?? 0) >> (register & 31)) & 1) === 1;
  }

  add(block: number, register: number): void {
    if (register >= this.#registerCount) throw new InternalError(`register ${register} of ${this.#registerCount}`);
    const at = block * this.stride + (register >> 5);
    this.words[at] = (this.words[at] ?? 0) | (1 << (register & 31));
  }
}

/** The registers that are in one of two sets of a block, ascending. */
function union(a: RegisterSets, b: RegisterSets, block: number): readonly number[] {
  const registers: number[] = [];
  for (let word = 0; word < a.stride; word++) {
    const at = block * a.stride + word;
    for (let bits = (a.words[at] ?? 0) | (b.words[at] ?? 0); bits !== 0; bits &= bits - 1) {
      registers.push(word * 32 + 31 - Math.clz32(bits & -bits));
    }
  }
  return registers;
}

/** What blocks do. */
interface Uses {
  /** Registers read by an active lane, or scalar. */
  readonly uses: RegisterSets;
  /** VGPRs read in all lanes. */
  readonly fullUses: RegisterSets;
  /** Written in all active lanes; in all lanes. */
  readonly kills: RegisterSets;
  readonly fullKills: RegisterSets;
}

type Results = Readonly<Record<'live' | 'inactive' | 'liveAtEnd' | 'inactiveAtEnd', RegisterSets>>;

class Flow {
  readonly #cfg: Cfg;
  readonly #results: Results;
  readonly #uses: Uses;
  readonly #changes: readonly ExecChange[];
  /** The words of one block with all registers, with all VGPRs. */
  readonly #all: Int32Array;
  readonly #vgprs: Int32Array;
  /** By block: those that go on there, also across a barrier. */
  readonly #before: readonly number[][];

  constructor(
    cfg: Cfg,
    registerCount: number,
    { results, uses, changes }: { readonly results: Results; readonly uses: Uses; readonly changes: readonly ExecChange[] },
  ) {
    this.#cfg = cfg;
    this.#results = results;
    this.#uses = uses;
    this.#changes = changes;
    const all = new RegisterSets(1, registerCount);
    for (let register = 0; register < registerCount; register++) all.add(0, register);
    this.#all = all.words;
    this.#vgprs = all.words.slice().fill(0, 0, FIRST_VGPR >> 5);
    this.#vgprs[FIRST_VGPR >> 5] = (all.words[FIRST_VGPR >> 5] ?? 0) & (-1 << (FIRST_VGPR & 31));
    this.#before = cfg.blocks.map(() => []);
    for (const { index, continuation, successors } of cfg.blocks) {
      for (const next of continuation >= 0 ? [continuation] : successors) this.#before[next]?.push(index);
    }
  }

  solve(): void {
    const { blocks } = this.#cfg;
    // A block is looked at again when one that follows it has changed.
    const isPending = new Uint8Array(blocks.length).fill(1);
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (let index = blocks.length - 1; index >= 0; index--) {
        const block = blocks[index];
        if (block === undefined || isPending[index] === 0) continue;
        isPending[index] = 0;
        if (!this.#step(block)) continue;
        for (const before of this.#before[index] ?? []) {
          isPending[before] = 1;
          if (before >= index) isDone = false;
        }
      }
    }
  }

  // hot
  #step(block: CfgBlock): boolean {
    const { stride } = this.#results.live;
    const live = this.#results.live.words;
    const inactive = this.#results.inactive.words;
    const next = block.continuation >= 0 ? [block.continuation] : block.successors;
    const takesAll = block.ir.exit.kind === 'indirect';
    const change = this.#changes[block.index];
    const shrinks = change === 'shrinks' || change === 'any';
    const grows = change === 'grows' || change === 'any';
    let changed = false;
    for (let word = 0, at = block.index * stride; word < stride; word++, at++) {
      const vgprs = this.#vgprs[word] ?? 0;
      let isLive = takesAll ? (this.#all[word] ?? 0) : 0;
      let isInactive = isLive & vgprs;
      for (const successor of next) {
        isLive |= live[successor * stride + word] ?? 0;
        isInactive |= inactive[successor * stride + word] ?? 0;
      }
      const either = (isLive | isInactive) & vgprs;
      if (shrinks) isLive |= either;
      if (grows) isInactive |= either;
      this.#results.liveAtEnd.words[at] = isLive;
      this.#results.inactiveAtEnd.words[at] = isInactive;
      const full = this.#uses.fullUses.words[at] ?? 0;
      const before = (isLive & ~(this.#uses.kills.words[at] ?? 0)) | (this.#uses.uses.words[at] ?? 0) | full;
      const inactiveBefore = (isInactive & ~(this.#uses.fullKills.words[at] ?? 0)) | full;
      if (before !== live[at] || inactiveBefore !== inactive[at]) changed = true;
      live[at] = before;
      inactive[at] = inactiveBefore;
    }
    return changed;
  }
}

/** Notes what a block does; the answer is how it changes EXEC. */
function noteUse({ index: block, ir }: CfgBlock, sets: Uses): ExecChange {
  const { kills, fullKills } = sets;
  const marker = new Marker(block, ir.nodes.length, sets);
  for (const effect of ir.effects) {
    if (effect.kind === 'clock') continue;
    if (effect.kind === 'matrix') {
      for (const arg of effect.args) marker.mark(arg, 1);
      continue;
    }
    const { base, offset, vector } = effect.address;
    for (const part of [base, offset, vector, effect.mask]) if (part !== undefined) marker.mark(part, 0);
    if (effect.kind === 'store') marker.mark(effect.data, 0);
    if (effect.kind === 'atomic') {
      marker.mark(effect.data, 0);
      if (effect.compare !== undefined) marker.mark(effect.compare, 0);
    }
  }
  if (ir.exit.kind === 'branch') marker.mark(ir.exit.condition, 0);
  if (ir.exit.kind === 'indirect') {
    marker.mark(ir.exit.target, 0);
    marker.mark(ir.exit.mode, 0);
  }
  if (ir.exit.kind === 'request') marker.mark(ir.exit.request, 0);
  let change: ExecChange = 'none';
  for (const { file, index, value } of ir.writes) {
    if (file !== 'vgpr') {
      kills.add(block, file === 'scc' ? SCC : index);
      marker.mark(value, 0);
      if (file === 'sgpr' && index >= SGPR_EXEC) change = join(change, execChange(value, index));
      continue;
    }
    const register = FIRST_VGPR + index;
    if (value.kind !== 'blend') {
      kills.add(block, register);
      fullKills.add(block, register);
      marker.mark(value, 1);
      continue;
    }
    const whole = isExecMask(value.mask);
    if (whole) kills.add(block, register);
    marker.mark(value.mask, 0);
    marker.mark(value.value, 0);
    const old = value.old;
    const isOwn = old.kind === 'read' && old.file === 'vgpr' && old.index === index;
    if (!isOwn) marker.mark(old, 1);
    else if (!whole) sets.uses.add(block, register);
  }
  return change;
}

class Marker {
  readonly #block: number;
  readonly #sets: Uses;
  /** By node: 1 seen for active lanes, 2 for all. */
  readonly #seen: Uint8Array;
  /** Still to be looked at, and for which lanes. */
  readonly #nodes: Value[] = [];
  readonly #wanted: (0 | 1)[] = [];

  constructor(block: number, nodes: number, sets: Uses) {
    this.#block = block;
    this.#seen = new Uint8Array(nodes);
    this.#sets = sets;
  }

  mark(root: Value, all: 0 | 1): void {
    this.#visit(root, all);
    for (let node = this.#nodes.pop(); node !== undefined; node = this.#nodes.pop()) {
      const full = this.#wanted.pop() ?? 0;
      switch (node.kind) {
        case 'read':
          this.#read(node.file === 'sgpr' ? node.index : node.file === 'scc' ? SCC : FIRST_VGPR + node.index, full);
          break;
        case 'blend':
          this.#visit(node.mask, full);
          this.#visit(node.value, full);
          this.#visit(node.old, 1);
          break;
        case 'op': {
          const below = crossesLanes(node) ? 1 : full;
          for (const arg of node.args) this.#visit(arg, below);
          break;
        }
        case 'part':
          this.#visit(node.of, 1);
          break;
        case 'matrix':
          for (const arg of node.args) this.#visit(arg, 1);
          break;
        default:
      }
    }
  }

  #visit(node: Value, full: 0 | 1): void {
    if ((this.#seen[node.id] ?? 0) > full) return;
    this.#seen[node.id] = full + 1;
    this.#nodes.push(node);
    this.#wanted.push(full);
  }

  #read(register: number, full: 0 | 1): void {
    const { uses, fullUses } = this.#sets;
    (full === 1 && isVgpr(register) ? fullUses : uses).add(this.#block, register);
  }
}

/** Inactive lanes of the arguments matter. */
function crossesLanes(node: Value & { readonly kind: 'op' }): boolean {
  switch (node.op) {
    case 'readLane':
    case 'readFirstLane':
    case 'insertLane':
    case 'shuffle':
      return true;
    case 'ballot':
    case 'any': {
      const [arg] = node.args;
      return arg === undefined || !isMasked(arg);
    }
    default:
      return false;
  }
}

/** Zero in inactive lanes: an `and` with EXEC, or made of such. */
function isMasked(value: Value): boolean {
  if (isExecMask(value)) return true;
  if (value.kind !== 'op') return value.kind === 'const';
  if (value.op === 'and') return value.args.some(isMasked);
  if (value.op === 'or' || value.op === 'xor') return value.args.every(isMasked);
  return value.op === 'inverseBallot';
}

function join(a: ExecChange, b: ExecChange): ExecChange {
  return a === 'none' ? b : b === 'none' || a === b ? a : 'any';
}

/** Whether the new EXEC is a part of the old one, or contains it. */
function execChange(value: Value, index: number): ExecChange {
  if (value.kind === 'read' && value.file === 'sgpr' && value.index === index) return 'none';
  if (has(value, index, 'and')) return 'shrinks';
  return has(value, index, 'or') ? 'grows' : 'any';
}

function has(value: Value, index: number, logic: 'and' | 'or'): boolean {
  if (isExecMask(value)) return true;
  if (value.kind === 'read') return value.file === 'sgpr' && value.index === index;
  if (value.kind === 'const') return logic === 'or' ? value.low === 0xffff_ffff : value.low === 0;
  if (value.kind !== 'op') return false;
  const part = (arg: Value | undefined): boolean => arg !== undefined && has(arg, index, logic);
  const [a, b] = value.args;
  switch (value.op) {
    case 'and32':
    case 'and64':
    case 'and':
      return logic === 'and' && (part(a) || part(b));
    case 'or32':
    case 'or64':
    case 'or':
      return logic === 'or' && (part(a) || part(b));
    case 'low64':
    case 'ballot':
    case 'high64':
      return part(a);
    case 'inverseBallot':
      return part(a);
    case 'pack64':
      return index === SGPR_EXEC ? part(a) : part(b);
    default:
      return false;
  }
}
