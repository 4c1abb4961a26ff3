/** Source lines of machine code, from `.debug_line` (DWARF 5 §6.2; versions 2 to 4 too). */
import type { ElfFile } from '../elf/elf-types.js';
import { DwarfCursor } from './dwarf-cursor.js';
import { type LineHeader, type NameSections, readLineHeader } from './line-header.js';

export interface SourceLine {
  /** Path as the compiler was given it, with its directory. */
  readonly file: string;
  /** From 1; 0: code that belongs to no line. */
  readonly line: number;
  /** From 1; 0: unknown. */
  readonly column: number;
}

export interface LineTable {
  /** The line of the instruction at this virtual address (as in the file, not as loaded); undefined where none is recorded. */
  find(vaddr: bigint): SourceLine | undefined;
  /** Why parts of the table could not be read; what could be read is there. */
  readonly problems: readonly string[];
}

/** Addresses `start` up to, not including, `end`. */
interface LineRange extends SourceLine {
  readonly start: number;
  readonly end: number;
}

const NOTHING = new Uint8Array(0);

/** SHF_COMPRESSED: what a section holds is deflated. */
const SHF_COMPRESSED = 0x800n;

/**
 * Reads the line table of a code object. Debug information is never a reason to refuse a program: this does not throw, damaged or
 * compressed ones become {@link LineTable.problems}. Without `.debug_line` the table is empty.
 */
export function readLineTable(elf: ElfFile): LineTable {
  const problems: string[] = [];
  const section = (name: string): Uint8Array => {
    const header = elf.sections.find((each) => each.name === name);
    if (header === undefined) return NOTHING;
    if ((header.flags & SHF_COMPRESSED) !== 0n) {
      // Without these strings a unit may do; one that needs them is a problem then.
      if (name !== '.debug_str') problems.push(`${name} is compressed`);
      return NOTHING;
    }
    const start = Number(header.fileOffset);
    const end = start + Number(header.sizeBytes);
    if (end <= elf.bytes.length) return elf.bytes.subarray(start, end);
    problems.push(`${name} lies outside the file`);
    return NOTHING;
  };
  const lines = section('.debug_line');
  const ranges: LineRange[] = [];
  if (lines.length > 0) {
    const names = { lineStrings: section('.debug_line_str'), strings: section('.debug_str') };
    readUnits(lines, names, ranges, problems);
  }
  ranges.sort((a, b) => a.start - b.start);
  return { find: (vaddr) => findRange(ranges, Number(vaddr)), problems };
}

function findRange(ranges: readonly LineRange[], address: number): SourceLine | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.start ?? 0) <= address) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  if (range === undefined || address >= range.end) return undefined;
  const { file, line, column } = range;
  return { file, line, column };
}

function readUnits(bytes: Uint8Array, names: NameSections, ranges: LineRange[], problems: string[]): void {
  for (let at = 0; at < bytes.length; ) {
    const start = at;
    try {
      const cursor = new DwarfCursor(bytes, at);
      const short = cursor.u32();
      const isLong = short === 0xffff_ffff;
      const end = (isLong ? cursor.u64() : short) + cursor.position;
      at = end;
      const unit = new DwarfCursor(bytes, cursor.position, end);
      const header = readLineHeader(unit, isLong ? 8 : 4, names);
      runProgram(new DwarfCursor(bytes, header.programStart, end), header, ranges);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      problems.push(`line table at offset ${start}: ${error.message}`);
      if (at === start) return;
    }
  }
}

/** DW_LNS_… and DW_LNE_… */
const EXTENDED = 0;
const COPY = 1;
const ADVANCE_PC = 2;
const ADVANCE_LINE = 3;
const SET_FILE = 4;
const SET_COLUMN = 5;
const CONST_ADD_PC = 8;
const FIXED_ADVANCE_PC = 9;
const END_SEQUENCE = 1;
const SET_ADDRESS = 2;

interface Registers {
  address: number;
  file: number;
  line: number;
  column: number;
}

const initial = (): Registers => ({ address: 0, file: 1, line: 1, column: 0 });

/** Runs a line number program; each row reaches up to the next one of its sequence. */
function runProgram(cursor: DwarfCursor, header: LineHeader, ranges: LineRange[]): void {
  const { minimumInstructionBytes, lineBase, lineRange, opcodeBase, operandCounts } = header;
  let state = initial();
  let last: Registers | undefined;
  const row = (): void => {
    if (last !== undefined && state.address > last.address) {
      const { address: start, line, column, file } = last;
      ranges.push({ start, end: state.address, file: header.files[file] ?? '', line, column });
    }
    last = { ...state };
  };
  const advance = (operations: number): void => {
    state.address += operations * minimumInstructionBytes;
  };
  while (!cursor.isAtEnd) {
    const opcode = cursor.u8();
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase;
      advance(Math.floor(adjusted / lineRange));
      state.line += lineBase + (adjusted % lineRange);
      row();
    } else if (opcode === EXTENDED) {
      const bytes = cursor.uleb();
      const end = cursor.position + bytes;
      const kind = bytes > 0 ? cursor.u8() : 0;
      if (kind === END_SEQUENCE) {
        row();
        state = initial();
        last = undefined;
      } else if (kind === SET_ADDRESS) state.address = bytes === 5 ? cursor.u32() : cursor.u64();
      cursor.skip(Math.max(0, end - cursor.position));
    } else if (opcode === COPY) row();
    else if (opcode === ADVANCE_PC) advance(cursor.uleb());
    else if (opcode === ADVANCE_LINE) state.line += cursor.sleb();
    else if (opcode === SET_FILE) state.file = cursor.uleb();
    else if (opcode === SET_COLUMN) state.column = cursor.uleb();
    else if (opcode === CONST_ADD_PC) advance(Math.floor((255 - opcodeBase) / lineRange));
    else if (opcode === FIXED_ADVANCE_PC) state.address += cursor.u16();
    else for (let n = operandCounts[opcode - 1] ?? 0; n > 0; n--) cursor.uleb();
  }
}
