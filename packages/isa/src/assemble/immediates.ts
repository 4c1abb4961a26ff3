/** Operands that are numbers in a field, as numbers or in words: `vmcnt(0)`, `hwreg(…)`, `sendmsg(…)`, `mrt0`, … */
import type { DecodeContext } from '../decode/decode-context.js';
import type { OperandPlan } from '../decode/operand-plan.js';
import {
  DELAY_IDS,
  DELAY_SKIPS,
  GPR_INDEX_MODES,
  VERSIONS,
  VERSION_FLAGS,
  depctrFields,
  formatExportTarget,
  formatInterpolationSlot,
} from '../disassemble/immediates.js';
import { GEOMETRY_OPERATIONS, SYSTEM_OPERATIONS } from '../disassemble/messages.js';
import type { FieldSlice, NamedNumber } from '../table/packed-table.js';
import type { SymbolScope } from './assembler.js';
import { evaluate } from './evaluate.js';
import type { Expression } from './expression.js';
import { fieldBits, unsigned } from './fields.js';
import { parseOffset } from './modifiers.js';
import { integerBetween } from './operand-text.js';
import { parseExpression } from './parse-expression.js';
import type { TokenReader } from './token-reader.js';

/** What an immediate came to; `channel`: of an interpolated attribute; `branch`: a target that is not known yet. */
export interface ImmediateValue {
  readonly value: number;
  readonly channel?: number;
  readonly branch?: Expression;
}

const WORD = 16;
const DWORD = 32;
const BRANCH_BYTES = 4;

/** Reads the immediate of a plan. */
export function parseImmediate(
  reader: TokenReader,
  scope: SymbolScope,
  plan: OperandPlan,
  context: DecodeContext,
): ImmediateValue {
  const isCall = reader.peek().kind === 'name' && reader.is('(', 1);
  const { c = '' } = plan.description;
  switch (c) {
    case 'swaitcnt':
      if (isCall) return { value: waitCounters(reader, scope, context) };
      break;
    case 'depctr':
      if (isCall) return { value: depctr(reader, scope, context) };
      break;
    case 'sdelayalu':
      if (isCall) return { value: delayAlu(reader) };
      break;
    case 'hwreg':
      if (isCall) return { value: hwreg(reader, scope, context) };
      if (reader.is('{')) return { value: hwregFields(reader, scope, context) };
      break;
    case 'sendmsg':
      if (isCall) return { value: sendmsg(reader, scope, context) };
      break;
    case 'versionimm':
      return { value: integerBetween(reader, versionScope(scope), 0, 0xffff) };
    case 'soppbrtarget':
      return branchTarget(reader, scope);
    case 'exp_tgt':
      return { value: oneOf(reader, 2 ** fieldBits(plan.slices), (value) => formatExportTarget(value, context)) };
    case 'interpslot':
      return { value: oneOf(reader, 2 ** fieldBits(plan.slices), formatInterpolationSlot) };
    case 'gpridxmode':
      if (isCall) return { value: gprIndexMode(reader) };
      break;
    case 'interpattr':
      return attribute(reader);
    case 'smemoffset':
    case 'smemoffsetmod':
    case 'optsmemoffsetmod':
      return { value: parseOffset(reader, scope, plan) };
    case 'endpgm':
      if (reader.isAtEnd) return { value: 0 };
      break;
    case 'i8imm':
      return { value: unsigned(integerBetween(reader, scope, -128, 255), 8) };
    default:
  }
  const bits = Math.max(fieldBits(plan.slices), c === 'i32imm' && plan.name === 'imm' ? DWORD : WORD);
  return { value: unsigned(integerBetween(reader, scope, -(2 ** (bits - 1)), 2 ** bits - 1), bits) };
}

/** A name of the table, or a number. */
function named(
  reader: TokenReader,
  scope: SymbolScope,
  rows: readonly NamedNumber[],
  processor: string,
  highest: number,
): number {
  const { kind, text } = reader.peek();
  const row =
    kind === 'name' ? rows.find(([, name, processors]) => name === text && (processors?.includes(processor) ?? true)) : undefined;
  if (row === undefined) {
    if (kind === 'name' && scope.find(text) === undefined) reader.fail(['a known name', `an integer from 0 to ${highest}`]);
    return integerBetween(reader, scope, 0, highest);
  }
  reader.next();
  return row[0];
}

/** `vmcnt(0) & lgkmcnt(1)`; commas and spaces separate too. `vmcnt_sat(99)` is the highest value where 99 is too large. */
function waitCounters(reader: TokenReader, scope: SymbolScope, { table }: DecodeContext): number {
  const counters = table.facts.waitCounters;
  const names = ['vmcnt', 'expcnt', 'lgkmcnt'].filter((name) => counters[name] !== undefined);
  let value = names.reduce((sum, name) => sum | spread(counters[name] ?? [], -1), 0);
  while (!reader.isAtEnd) {
    const token = reader.peek();
    const name = token.text.replace(/_sat$/, '');
    const slices = counters[name];
    if (slices === undefined || !names.includes(name)) reader.fail(names);
    reader.next();
    reader.expect('(');
    const highest = slices.reduce((sum, [first, last, target]) => sum + (2 ** (last - first + 1) - 1) * 2 ** target, 0);
    const isSaturating = name !== token.text;
    const count = integerBetween(reader, scope, 0, isSaturating ? 0xffff : highest);
    reader.expect(')');
    value = (value & ~spread(slices, -1)) | spread(slices, Math.min(count, highest));
    if (reader.skip('&') || reader.skip(',')) if (reader.isAtEnd) reader.fail(names);
  }
  return value;
}

/** A counter's bits in their places; slices are `[first bit, last bit, counter bit]`. */
function spread(slices: readonly FieldSlice[], value: number): number {
  return slices.reduce((sum, [first, last, target]) => sum | (((value >> target) & (2 ** (last - first + 1) - 1)) << first), 0);
}

function depctr(reader: TokenReader, scope: SymbolScope, { processor }: DecodeContext): number {
  const fields = depctrFields(processor);
  const names = fields.map(([name]) => name);
  let value = fields.reduce((sum, [, first, last]) => sum | ((2 ** (last - first + 1) - 1) << first), 0);
  while (!reader.isAtEnd) {
    const { text } = reader.peek();
    const field = fields.find(([name]) => name === text);
    if (field === undefined) reader.fail(names);
    reader.next();
    const [, first, last] = field;
    const highest = 2 ** (last - first + 1) - 1;
    reader.expect('(');
    value = (value & ~(highest << first)) | (integerBetween(reader, scope, 0, highest) << first);
    reader.expect(')');
    if (reader.skip('&') || reader.skip(',')) if (reader.isAtEnd) reader.fail(names);
  }
  return value;
}

const DELAY_PARTS: Readonly<Record<string, readonly [shift: number, names: readonly string[]]>> = {
  instid0: [0, DELAY_IDS],
  instskip: [4, DELAY_SKIPS],
  instid1: [7, DELAY_IDS],
};

/** `instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)` */
function delayAlu(reader: TokenReader): number {
  let value = 0;
  do {
    const part = DELAY_PARTS[reader.peek().text];
    if (!part) reader.fail(Object.keys(DELAY_PARTS));
    const [shift, names] = part;
    reader.next();
    reader.expect('(');
    const number = names.indexOf(reader.peek().text);
    if (number < 0) reader.fail(names);
    reader.next();
    reader.expect(')');
    value |= number << shift;
  } while (reader.skip('|'));
  return value;
}

const HWREG_IDS = 63;
const HWREG_OFFSETS = 31;
const HWREG_SIZES = 32;

/** `hwreg(NAME)`, `hwreg(NAME, offset, size)` */
function hwreg(reader: TokenReader, scope: SymbolScope, { table, processor }: DecodeContext): number {
  reader.expect('hwreg');
  reader.expect('(');
  const id = named(reader, scope, table.facts.hwRegisters, processor, HWREG_IDS);
  let offset = 0;
  let size = HWREG_SIZES;
  if (reader.skip(',')) {
    offset = integerBetween(reader, scope, 0, HWREG_OFFSETS);
    reader.expect(',');
    size = integerBetween(reader, scope, 1, HWREG_SIZES);
  }
  reader.expect(')');
  return hwregValue(id, offset, size);
}

/** `{id: NAME, offset: 4, size: 2}`, in any order; what is left out is as in `hwreg(NAME)`. */
function hwregFields(reader: TokenReader, scope: SymbolScope, { table, processor }: DecodeContext): number {
  const fields = new Map<string, number>();
  const names = ['id', 'offset', 'size'];
  reader.expect('{');
  if (!reader.is('}')) {
    do {
      const { text } = reader.peek();
      if (!names.includes(text) || fields.has(text)) reader.fail(names.filter((name) => !fields.has(name)));
      reader.next();
      reader.expect(':');
      if (text === 'id') fields.set(text, named(reader, scope, table.facts.hwRegisters, processor, HWREG_IDS));
      else if (text === 'offset') fields.set(text, integerBetween(reader, scope, 0, HWREG_OFFSETS));
      else fields.set(text, integerBetween(reader, scope, 1, HWREG_SIZES));
    } while (reader.skip(','));
  }
  reader.expect('}');
  return hwregValue(fields.get('id') ?? 0, fields.get('offset') ?? 0, fields.get('size') ?? HWREG_SIZES);
}

function hwregValue(id: number, offset: number, size: number): number {
  return id | (offset << 6) | ((size - 1) << 11);
}

function sendmsg(reader: TokenReader, scope: SymbolScope, { table, processor }: DecodeContext): number {
  reader.expect('sendmsg');
  reader.expect('(');
  const isMajor11 = table.family !== 'gfx9' && table.family !== 'gfx10';
  const { text } = reader.peek();
  let value = named(reader, scope, table.facts.messages, processor, isMajor11 ? 255 : 15);
  if (reader.skip(',')) {
    value |= operation(reader, scope, text) << 4;
    if (reader.skip(',')) value |= integerBetween(reader, scope, 0, 3) << 8;
  }
  reader.expect(')');
  return value;
}

/** The operation of a message, as a name that the message has or as a number. */
function operation(reader: TokenReader, scope: SymbolScope, message: string): number {
  const names: readonly (readonly [number, string])[] =
    message === 'MSG_SYSMSG'
      ? Object.entries(SYSTEM_OPERATIONS).map(([number, name]) => [Number(number), name])
      : GEOMETRY_OPERATIONS.map((name, number) => [number, name]);
  const found = names.find(([, name]) => name === reader.peek().text);
  if (!found) return integerBetween(reader, scope, 0, 7);
  reader.next();
  return found[0];
}

/** `gpr_idx(SRC0,DST)` */
function gprIndexMode(reader: TokenReader): number {
  reader.expect('gpr_idx');
  reader.expect('(');
  let value = 0;
  if (!reader.is(')')) {
    do {
      const bit = GPR_INDEX_MODES.findIndex((name) => reader.is(name));
      if (bit < 0 || (value & (1 << bit)) !== 0) reader.fail(GPR_INDEX_MODES);
      reader.next();
      value |= 1 << bit;
    } while (reader.skip(','));
  }
  reader.expect(')');
  return value;
}

/** The names that versions are put together from. */
function versionScope(scope: SymbolScope): SymbolScope {
  const names = new Map<string, bigint>();
  for (const [number, name] of Object.entries(VERSIONS)) names.set(`UC_VERSION_${name}`, BigInt(number));
  for (const [bit, name] of VERSION_FLAGS) names.set(`UC_VERSION_${name}_BIT`, 1n << BigInt(bit));
  return {
    here: scope.here,
    find(name) {
      const value = names.get(name);
      return value === undefined ? scope.find(name) : { kind: 'absolute', value };
    },
  };
}

/** A distance in dwords, or a place. */
function branchTarget(reader: TokenReader, scope: SymbolScope): ImmediateValue {
  const token = reader.peek();
  if (token.kind === 'end' || token.kind === 'invalid' || token.kind === 'float')
    reader.fail(['a label', 'a distance in dwords']);
  const expression = parseExpression(reader);
  const target = evaluate(expression, scope);
  if (!target.ok) {
    if (target.reason === 'invalid') reader.fail(['a label', 'a distance in dwords'], token);
    return { value: 0, branch: expression };
  }
  let distance: bigint;
  if (target.value.kind === 'absolute') distance = target.value.value;
  else {
    const { here } = scope;
    if (here?.kind !== 'place' || here.section !== target.value.section) return { value: 0, branch: expression };
    const bytes = target.value.offset - here.offset - BigInt(BRANCH_BYTES);
    if (bytes % 4n !== 0n) reader.fail(['a place that is a multiple of 4 bytes away'], token);
    distance = bytes / 4n;
  }
  if (distance < -0x8000n || distance > (target.value.kind === 'place' ? 0x7fffn : 0xffffn)) {
    reader.fail(['a target within 32768 dwords'], token);
  }
  return { value: unsigned(Number(distance), WORD) };
}

/** The number that prints as the next token. */
function oneOf(reader: TokenReader, count: number, print: (value: number) => string): number {
  const { text } = reader.peek();
  const texts = Array.from({ length: count }, (_, value) => print(value));
  const value = texts.indexOf(text);
  if (value < 0) reader.fail([...new Set(texts.filter((name) => !name.startsWith('invalid')))]);
  reader.next();
  return value;
}

/** `attr3.x` */
function attribute(reader: TokenReader): ImmediateValue {
  const match = /^attr(\d+)\.([xyzw])$/.exec(reader.peek().text);
  const value = Number(match?.[1] ?? 64);
  if (!match || value > 63) reader.fail(['an attribute, attr0.x to attr63.w']);
  reader.next();
  return { value, channel: 'xyzw'.indexOf(match[2] ?? '') };
}
