/**
 * Which registers matter at the entry of a block. A VGPR is live if an active lane of it may be read, inactive-live if a lane that is
 * not in EXEC now may be read once EXEC has grown. A write under EXEC needs the old value only in a register that is inactive-live.
 */
import type { Value } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import { isExecMask, type Cfg, type CfgBlock } from './cfg.js';
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
  readonly change: ExecChange;
}

export interface Liveness {
  readonly registerCount: number;
  /** By block: registers live, inactive-live at entry. */
  readonly live: readonly Uint8Array[];
  readonly inactive: readonly Uint8Array[];
  /** By block: the same after its writes, before its change of EXEC. */
  readonly liveAtEnd: readonly Uint8Array[];
  readonly inactiveAtEnd: readonly Uint8Array[];
}

export function analyseLiveness(cfg: Cfg, vgprCount: number): Liveness {
  const registerCount = FIRST_VGPR + vgprCount;
  const rows = (): Uint8Array[] => cfg.blocks.map(() => new Uint8Array(registerCount));
  const result = { registerCount, live: rows(), inactive: rows(), liveAtEnd: rows(), inactiveAtEnd: rows() };
  const uses = cfg.blocks.map((block) => useOf(block, registerCount));
  const flow = new Flow(cfg, uses, result);
  flow.solve();
  return result;
}

class Flow {
  readonly #cfg: Cfg;
  readonly #uses: readonly BlockUse[];
  readonly #result: Liveness;

  constructor(cfg: Cfg, uses: readonly BlockUse[], result: Liveness) {
    this.#cfg = cfg;
    this.#uses = uses;
    this.#result = result;
  }

  solve(): void {
    const { blocks } = this.#cfg;
    for (let changed = true; changed; ) {
      changed = false;
      for (let index = blocks.length - 1; index >= 0; index--) {
        const block = blocks[index];
        const use = this.#uses[index];
        if (block !== undefined && use !== undefined && this.#step(block, use)) changed = true;
      }
    }
  }

  #step(block: CfgBlock, use: BlockUse): boolean {
    const { registerCount, live, inactive, liveAtEnd, inactiveAtEnd } = this.#result;
    const [liveIn, inactiveIn] = [live[block.index], inactive[block.index]];
    const [liveEnd, inactiveEnd] = [liveAtEnd[block.index], inactiveAtEnd[block.index]];
    if (liveIn === undefined || inactiveIn === undefined || liveEnd === undefined || inactiveEnd === undefined) return false;
    const next = block.continuation >= 0 ? [block.continuation] : block.successors;
    const all = block.ir.exit.kind === 'indirect' ? 1 : 0;
    let changed = false;
    for (let register = 0; register < registerCount; register++) {
      let isLive = all;
      let isInactive = isVgpr(register) ? all : 0;
      for (const successor of next) {
        isLive |= live[successor]?.[register] ?? 0;
        isInactive |= inactive[successor]?.[register] ?? 0;
      }
      if (isVgpr(register)) {
        const either = isLive | isInactive;
        if (use.change === 'shrinks' || use.change === 'any') isLive = either;
        if (use.change === 'grows' || use.change === 'any') isInactive = either;
      }
      liveEnd[register] = isLive;
      inactiveEnd[register] = isInactive;
      const full = use.fullUses[register] ?? 0;
      const before = (isLive & ((use.kills[register] ?? 0) ^ 1)) | (use.uses[register] ?? 0) | full;
      const inactiveBefore = (isInactive & ((use.fullKills[register] ?? 0) ^ 1)) | full;
      if (before !== liveIn[register] || inactiveBefore !== inactiveIn[register]) changed = true;
      liveIn[register] = before;
      inactiveIn[register] = inactiveBefore;
    }
    return changed;
  }
}

function useOf(block: CfgBlock, registerCount: number): BlockUse {
  const row = (): Uint8Array => new Uint8Array(registerCount);
  const marker = new Marker(block.ir.nodes.length, row(), row());
  const [kills, fullKills] = [row(), row()];
  const { ir } = block;
  for (const effect of ir.effects) {
    if (effect.kind === 'clock') continue;
    const { base, offset, vector } = effect.address;
    for (const part of [base, offset, vector, effect.mask]) if (part !== undefined) marker.mark(part, 0);
    if (effect.kind === 'store') marker.mark(effect.data, 0);
    if (effect.kind === 'atomic') {
      marker.mark(effect.data, 0);
      if (effect.compare !== undefined) marker.mark(effect.compare, 0);
    }
  }
  if (ir.exit.kind === 'branch') marker.mark(ir.exit.condition, 0);
  if (ir.exit.kind === 'indirect') marker.mark(ir.exit.target, 0);
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
  return { uses: marker.uses, fullUses: marker.fullUses, kills, fullKills, change };
}

class Marker {
  readonly uses: Uint8Array;
  readonly fullUses: Uint8Array;
  /** By node: 1 seen for active lanes, 2 for all. */
  readonly #seen: Uint8Array;

  constructor(nodes: number, uses: Uint8Array, fullUses: Uint8Array) {
    this.#seen = new Uint8Array(nodes);
    this.uses = uses;
    this.fullUses = fullUses;
  }

  mark(root: Value, all: 0 | 1): void {
    const todo: (readonly [Value, 0 | 1])[] = [[root, all]];
    for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
      const [node, full] = item;
      if ((this.#seen[node.id] ?? 0) > full) continue;
      this.#seen[node.id] = full + 1;
      switch (node.kind) {
        case 'read':
          this.#read(node.file === 'sgpr' ? node.index : node.file === 'scc' ? SCC : FIRST_VGPR + node.index, full);
          break;
        case 'blend':
          todo.push([node.mask, full], [node.value, full], [node.old, 1]);
          break;
        case 'op': {
          const below = crossesLanes(node) ? 1 : full;
          for (const arg of node.args) todo.push([arg, below]);
          break;
        }
        default:
      }
    }
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
