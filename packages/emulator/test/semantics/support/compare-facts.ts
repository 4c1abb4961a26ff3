/** The instruction facts of @doorbell/isa against what the semantics, which were written without them, read and write. */
import { createDecoder, factsOf, type Instruction, type RegisterRange } from '@doorbell/isa';
import { instructionTable } from '../../../../isa/src/table/processors.js';
import type { Block, Value } from '../../../src/ir/block.js';
import { buildBlock, decodeMode } from '../../../src/semantics/index.js';
import { createRandom } from '../../ir/random.js';
import { encodeRandom } from './encodings.js';

const table = instructionTable('gfx1100');
const entries = Array.from({ length: table.entryCount }, (_, entry) => entry).filter((entry) =>
  /^(?:SOP.|SMEM|VOP.*|DS|FLAT|GLOBAL|SCRATCH)$/.test(table.format(entry)),
);

/** First numbers of the files in which the IR counts registers as operand numbers; MODE and FLAT_SCRATCH are no registers there. */
const SCALAR_BASE: Partial<Record<RegisterRange['file'], number>> = { sgpr: 0, vcc: 106, ttmp: 108, m0: 125, exec: 126 };

/** Registers as the IR names them: `sgpr 3`. */
function irNames(ranges: readonly RegisterRange[]): string[] {
  return ranges.flatMap(({ file, first, count }) => {
    const base = SCALAR_BASE[file];
    const numbers = Array.from({ length: count }, (_, n) => first + n);
    if (base !== undefined) return numbers.map((number) => `sgpr ${base + number}`);
    return file === 'vgpr' || file === 'scc' ? numbers.map((number) => `${file} ${number}`) : [];
  });
}

/** What a value reads, but for the old value that a write under EXEC leaves in the other lanes of the register `own`. */
function readsOf(value: Value, own: string, found: Set<string>, seen = new Set<Value>()): void {
  if (seen.has(value)) return;
  seen.add(value);
  if (value.kind === 'read') found.add(`${value.file} ${value.index}`);
  const visit = (part: Value | undefined): void => {
    if (part !== undefined) readsOf(part, own, found, seen);
  };
  switch (value.kind) {
    case 'op':
    case 'matrix':
      value.args.forEach(visit);
      return;
    case 'part':
      visit(value.of);
      return;
    case 'blend':
      visit(value.mask);
      visit(value.value);
      if (!(value.old.kind === 'read' && `${value.old.file} ${value.old.index}` === own)) visit(value.old);
      return;
    case 'load':
    case 'atomic':
      for (const part of [value.address.base, value.address.offset, value.address.vector, value.mask]) visit(part);
      if (value.kind === 'atomic') {
        visit(value.data);
        visit(value.compare);
      }
      return;
    default:
      return;
  }
}

interface Registers {
  readonly reads: Set<string>;
  readonly writes: Set<string>;
  /** VGPRs whose inactive lanes keep their value. */
  readonly blended: Set<string>;
}

function registersOf(block: Block): Registers {
  const reads = new Set<string>();
  for (const effect of block.effects) {
    if (effect.kind === 'store') {
      for (const part of [effect.address.base, effect.address.offset, effect.address.vector, effect.mask, effect.data]) {
        if (part !== undefined) readsOf(part, '', reads);
      }
    } else readsOf(effect, '', reads);
  }
  const { exit } = block;
  if (exit.kind === 'branch') readsOf(exit.condition, '', reads);
  if (exit.kind === 'indirect') {
    readsOf(exit.target, '', reads);
    readsOf(exit.mode, '', reads);
  }
  const writes = new Set<string>();
  const blended = new Set<string>();
  for (const { file, index, value } of block.writes) {
    const own = `${file} ${index}`;
    writes.add(own);
    if (value.kind === 'blend') blended.add(own);
    readsOf(value, own, reads);
  }
  return { reads, writes, blended };
}

/** Where the semantics need not look at what the instruction reads, or simplify it away. */
const UNREAD: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^v_cmpx?_(?:t|f|tru)_/, 'always true or false'],
  [/^(?:ds_nop|v_nop|v_pipeflush) read (?:exec|m0)$/, 'does nothing'],
  [/^s_ttracedata read m0$/, 'traces go nowhere'],
  [/^s_waitcnt_\w+ read sdst$/, 'counters are always 0'],
  [/^s_sendmsg read (?:exec|m0)$/, 'messages go nowhere'],
  [/^s_getreg_b32 read simm16$/, 'most fields of STATUS are constant'],
  [/^s_atc_probe/, 'asks the address translation, which has no state'],
  [/^v_wmma_\w+ read exec$/, 'all lanes take part'],
  [/^v_permlane64_b32 /, 'does nothing in wave32'],
];

/**
 * Where facts and semantics differ over `samples` random encodings of each entry of gfx1150; six times as many of scalar
 * operations, which have one entry each and take many constants.
 */
export function compareFacts(
  waveSize: 32 | 64,
  samples: number,
): { readonly compared: number; readonly problems: readonly string[] } {
  const random = createRandom(waveSize + 5);
  const decoder = createDecoder('gfx1150', { waveSize });
  const problems = new Set<string>();
  /** By name and operand: whether the semantics ever read or wrote what the facts say. */
  const confirmed = new Map<string, boolean>();
  let compared = 0;

  const confirm = (key: string, names: readonly string[], seen: ReadonlySet<string>): void => {
    if (names.length > 0) confirmed.set(key, (confirmed.get(key) ?? false) || names.some((name) => seen.has(name)));
  };

  const compare = (instruction: Instruction): void => {
    const block = buildBlock([{ offset: 0, instruction }], {
      waveSize,
      mode: decodeMode(0x30),
      processor: 'gfx1150',
      codeBase: 0n,
    });
    if (block.exit.kind === 'illegal') return;
    compared++;
    const facts = factsOf(instruction);
    const ir = registersOf(block);
    const { name: operation } = instruction;
    const isRelative = facts.relativeReads.length + facts.relativeWrites.length > 0;
    const partial = facts.writes.filter(({ keeps }) => keeps.some((what) => what !== 'inactive-lanes'));
    const allowed = new Set(irNames([...facts.reads, ...partial]));
    const written = new Set(irNames(facts.writes));
    if (!isRelative) {
      for (const name of ir.reads)
        if (!allowed.has(name)) problems.add(`${operation} reads ${name.split(' ')[0]}, not in the facts`);
      for (const name of ir.writes)
        if (!written.has(name)) problems.add(`${operation} writes ${name.split(' ')[0]}, not in the facts`);
    }
    for (const read of facts.reads) confirm(`${operation} read ${read.operand || read.file}`, irNames([read]), ir.reads);
    for (const write of facts.writes) {
      const names = irNames([write]);
      confirm(`${operation} write ${write.operand || write.file}`, names, ir.writes);
      for (const name of names) {
        if (!name.startsWith('vgpr') || !ir.writes.has(name)) continue;
        if (ir.blended.has(name) !== write.keeps.includes('inactive-lanes'))
          problems.add(`${operation}: EXEC and ${write.operand}`);
      }
    }
  };

  for (const entry of entries) {
    for (let n = table.format(entry).startsWith('SO') ? -6 * samples : 0; n < samples; n++) {
      const decoded = decoder.decode(encodeRandom(table, entry, random, n % 2 === 0), 0);
      if (decoded.ok) compare(decoded.instruction);
    }
  }
  for (const [key, isConfirmed] of confirmed) {
    if (!isConfirmed && !UNREAD.some(([pattern]) => pattern.test(key))) problems.add(`${key}: never`);
  }
  return { compared, problems: [...problems].sort() };
}
