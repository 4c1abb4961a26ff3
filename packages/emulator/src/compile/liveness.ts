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

interface BlockUse {
  /** Read by an active lane, or scalar. */
  readonly uses: Uint8Array;
  /** VGPRs read in all lanes. */
  readonly fullUses: Uint8Array;
  /** Written in all active lanes; in all lanes. */
  readonly kills: Uint8Array;
  readonly fullKills: Uint8Array;
}

export interface Liveness {
  readonly registerCount: number;
  /** By block: registers live, inactive-live at entry. */
  readonly live: readonly Uint8Array[];
  readonly inactive: readonly Uint8Array[];
  /** By block: the same after its writes, before its change of EXEC. */
  readonly liveAtEnd: readonly Uint8Array[];
  readonly inactiveAtEnd: readonly Uint8Array[];
  /** By block: the registers that are live or inactive-live at entry, ascending. */
  readonly carried: readonly (readonly number[])[];
}

export function analyseLiveness(cfg: Cfg, vgprCount: number): Liveness {
  const registerCount = FIRST_VGPR + vgprCount;
  const [live, inactive, liveAtEnd, inactiveAtEnd] = [0, 1, 2, 3].map(() => new Rows(cfg.blocks.length, registerCount));
  if (live === undefined || inactive === undefined || liveAtEnd === undefined || inactiveAtEnd === undefined) {
    throw new InternalError('no rows');
  }
  new Flow(cfg, { live, inactive, liveAtEnd, inactiveAtEnd }, useRows(cfg, registerCount)).solve();
  const carried = cfg.blocks.map((_, block) => {
    const registers: number[] = [];
    const [a, b] = [live.bytes[block], inactive.bytes[block]];
    for (let register = 0; register < registerCount; register++) {
      if (a?.[register] === 1 || b?.[register] === 1) registers.push(register);
    }
    return registers;
  });
  return {
    registerCount,
    live: live.bytes,
    inactive: inactive.bytes,
    liveAtEnd: liveAtEnd.bytes,
    inactiveAtEnd: inactiveAtEnd.bytes,
    carried,
  };
}

/** A byte of 0 or 1 for each block and register; four registers are one word, so that logic works on four at a time. */
class Rows {
  readonly words: Int32Array;
  /** Words of one block. */
  readonly stride: number;
  readonly bytes: readonly Uint8Array[];

  constructor(blocks: number, registerCount: number) {
    this.stride = Math.ceil(registerCount / 4);
    this.words = new Int32Array(blocks * this.stride);
    this.bytes = Array.from(
      { length: blocks },
      (_, block) => new Uint8Array(this.words.buffer, block * this.stride * 4, registerCount),
    );
  }
}

const ALL_SET = 0x0101_0101;

interface UseRows {
  readonly uses: Rows;
  readonly fullUses: Rows;
  readonly kills: Rows;
  readonly fullKills: Rows;
  readonly changes: readonly ExecChange[];
}

function useRows(cfg: Cfg, registerCount: number): UseRows {
  const rows = (): Rows => new Rows(cfg.blocks.length, registerCount);
  const [uses, fullUses, kills, fullKills] = [rows(), rows(), rows(), rows()];
  const none = new Uint8Array(registerCount);
  const changes = cfg.blocks.map((block, index) =>
    useOf(block, {
      uses: uses.bytes[index] ?? none,
      fullUses: fullUses.bytes[index] ?? none,
      kills: kills.bytes[index] ?? none,
      fullKills: fullKills.bytes[index] ?? none,
    }),
  );
  return { uses, fullUses, kills, fullKills, changes };
}

type ResultRows = Readonly<Record<'live' | 'inactive' | 'liveAtEnd' | 'inactiveAtEnd', Rows>>;

class Flow {
  readonly #cfg: Cfg;
  readonly #rows: ResultRows;
  readonly #uses: UseRows;
  /** 1 in the bytes of VGPRs. */
  readonly #vgprs: Int32Array;
  /** By block: those that go on there, also across a barrier. */
  readonly #before: readonly number[][];

  constructor(cfg: Cfg, rows: ResultRows, uses: UseRows) {
    this.#cfg = cfg;
    this.#rows = rows;
    this.#uses = uses;
    this.#vgprs = new Int32Array(rows.live.stride);
    new Uint8Array(this.#vgprs.buffer).fill(1, FIRST_VGPR);
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
    const { live, inactive, liveAtEnd, inactiveAtEnd } = this.#rows;
    const { uses, fullUses, kills, fullKills, changes } = this.#uses;
    const next = block.continuation >= 0 ? [block.continuation] : block.successors;
    const all = block.ir.exit.kind === 'indirect' ? ALL_SET : 0;
    const change = changes[block.index];
    const { stride } = live;
    let changed = false;
    for (let word = 0, at = block.index * stride; word < stride; word++, at++) {
      const vgprs = this.#vgprs[word] ?? 0;
      let isLive = all;
      let isInactive = all & vgprs;
      for (const successor of next) {
        isLive |= live.words[successor * stride + word] ?? 0;
        isInactive |= inactive.words[successor * stride + word] ?? 0;
      }
      const either = (isLive | isInactive) & vgprs;
      if (change === 'shrinks' || change === 'any') isLive |= either;
      if (change === 'grows' || change === 'any') isInactive |= either;
      liveAtEnd.words[at] = isLive;
      inactiveAtEnd.words[at] = isInactive;
      const full = fullUses.words[at] ?? 0;
      const before = (isLive & ~(kills.words[at] ?? 0)) | (uses.words[at] ?? 0) | full;
      const inactiveBefore = (isInactive & ~(fullKills.words[at] ?? 0)) | full;
      if (before !== live.words[at] || inactiveBefore !== inactive.words[at]) changed = true;
      live.words[at] = before;
      inactive.words[at] = inactiveBefore;
    }
    return changed;
  }
}

/** Fills the rows of a block; the answer is how it changes EXEC. */
function useOf({ ir }: CfgBlock, { uses, fullUses, kills, fullKills }: BlockUse): ExecChange {
  const marker = new Marker(ir.nodes.length, uses, fullUses);
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
      kills[file === 'scc' ? SCC : index] = 1;
      marker.mark(value, 0);
      if (file === 'sgpr' && index >= SGPR_EXEC) change = join(change, execChange(value, index));
      continue;
    }
    const register = FIRST_VGPR + index;
    if (value.kind !== 'blend') {
      kills[register] = fullKills[register] = 1;
      marker.mark(value, 1);
      continue;
    }
    const whole = isExecMask(value.mask);
    if (whole) kills[register] = 1;
    marker.mark(value.mask, 0);
    marker.mark(value.value, 0);
    const old = value.old;
    const isOwn = old.kind === 'read' && old.file === 'vgpr' && old.index === index;
    if (!isOwn) marker.mark(old, 1);
    else if (!whole) marker.uses[register] = 1;
  }
  return change;
}

class Marker {
  readonly uses: Uint8Array;
  readonly fullUses: Uint8Array;
  /** By node: 1 seen for active lanes, 2 for all. */
  readonly #seen: Uint8Array;
  /** Still to be looked at, and for which lanes. */
  readonly #nodes: Value[] = [];
  readonly #wanted: (0 | 1)[] = [];

  constructor(nodes: number, uses: Uint8Array, fullUses: Uint8Array) {
    this.#seen = new Uint8Array(nodes);
    this.uses = uses;
    this.fullUses = fullUses;
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
    if (full === 1 && isVgpr(register)) this.fullUses[register] = 1;
    else this.uses[register] = 1;
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
