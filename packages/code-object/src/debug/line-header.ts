/** The header of a line number program: what the program's numbers mean, and the names of files (DWARF 5 §6.2.4; DWARF 4 §6.2.4). */
import { DwarfCursor } from './dwarf-cursor.js';

/** Sections that names may lie in; empty where the file has none. */
export interface NameSections {
  readonly lineStrings: Uint8Array;
  readonly strings: Uint8Array;
}

export interface LineHeader {
  readonly version: number;
  readonly addressBytes: number;
  readonly minimumInstructionBytes: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of operands of each standard opcode, from opcode 1. */
  readonly operandCounts: readonly number[];
  /** Paths by the number that the program's `file` register holds; of version 5 from 0, of earlier ones from 1. */
  readonly files: readonly string[];
  /** Offset of the program's first opcode. */
  readonly programStart: number;
}

/** DW_LNCT_… */
const PATH = 1;
const DIRECTORY_INDEX = 2;

/** Reads the header of the unit of which `cursor` stands behind the length. `offsetBytes` is 8 in 64-bit DWARF. */
export function readLineHeader(cursor: DwarfCursor, offsetBytes: 4 | 8, names: NameSections): LineHeader {
  const version = cursor.u16();
  if (version < 2 || version > 5) throw new RangeError(`version ${version} of the line table is not known`);
  const addressBytes = version >= 5 ? cursor.u8() : 8;
  if (version >= 5) cursor.u8(); // segment selector size
  const headerBytes = offsetBytes === 8 ? cursor.u64() : cursor.u32();
  const programStart = cursor.position + headerBytes;
  const minimumInstructionBytes = cursor.u8();
  if (version >= 4) cursor.u8(); // operations of a VLIW instruction
  cursor.u8(); // default_is_stmt
  const lineBase = cursor.i8();
  const lineRange = cursor.u8();
  const opcodeBase = cursor.u8();
  if (lineRange === 0 || opcodeBase === 0) throw new RangeError('the line table has a range of 0 lines or an opcode base of 0');
  const operandCounts = Array.from({ length: opcodeBase - 1 }, () => cursor.u8());
  const files = version >= 5 ? filesOfVersion5(cursor, offsetBytes, names) : filesOfVersion4(cursor);
  return { version, addressBytes, minimumInstructionBytes, lineBase, lineRange, opcodeBase, operandCounts, files, programStart };
}

function joinPath(directory: string | undefined, name: string): string {
  return name.startsWith('/') || directory === undefined || directory === '' ? name : `${directory}/${name}`;
}

function filesOfVersion4(cursor: DwarfCursor): string[] {
  const directories = [''];
  for (let name = cursor.cstring(); name !== ''; name = cursor.cstring()) directories.push(name);
  const files = [''];
  for (let name = cursor.cstring(); name !== ''; name = cursor.cstring()) {
    const directory = cursor.uleb();
    cursor.uleb(); // modification time
    cursor.uleb(); // size
    files.push(joinPath(directories[directory], name));
  }
  return files;
}

interface Entry {
  readonly path: string;
  readonly directory: number;
}

function filesOfVersion5(cursor: DwarfCursor, offsetBytes: 4 | 8, names: NameSections): string[] {
  const directories = readEntries(cursor, offsetBytes, names).map(({ path }) => path);
  const absolute = directories.map((path, index) => (index === 0 ? path : joinPath(directories[0], path)));
  return readEntries(cursor, offsetBytes, names).map(({ path, directory }) => joinPath(absolute[directory], path));
}

function readEntries(cursor: DwarfCursor, offsetBytes: 4 | 8, names: NameSections): Entry[] {
  const format = Array.from({ length: cursor.u8() }, () => ({ content: cursor.uleb(), form: cursor.uleb() }));
  const count = cursor.uleb();
  if (count > 0 && format.length === 0) throw new RangeError('the line table has entries without content');
  const entries: Entry[] = [];
  for (let n = 0; n < count; n++) {
    let path = '';
    let directory = 0;
    for (const { content, form } of format) {
      const value = readForm(cursor, form, offsetBytes, names);
      if (content === PATH && typeof value === 'string') path = value;
      if (content === DIRECTORY_INDEX && typeof value === 'number') directory = value;
    }
    entries.push({ path, directory });
  }
  return entries;
}

/** One attribute value: text, a number, or undefined for what is only stepped over (DWARF 5 §7.5.6, the forms that §6.2.4.1 allows). */
function readForm(cursor: DwarfCursor, form: number, offsetBytes: 4 | 8, names: NameSections): string | number | undefined {
  const offset = (): number => (offsetBytes === 8 ? cursor.u64() : cursor.u32());
  switch (form) {
    case 0x08: // DW_FORM_string
      return cursor.cstring();
    case 0x0e: // DW_FORM_strp
      return new DwarfCursor(names.strings, offset()).cstring();
    case 0x1f: // DW_FORM_line_strp
      return new DwarfCursor(names.lineStrings, offset()).cstring();
    case 0x0b: // DW_FORM_data1
      return cursor.u8();
    case 0x05: // DW_FORM_data2
      return cursor.u16();
    case 0x06: // DW_FORM_data4
      return cursor.u32();
    case 0x07: // DW_FORM_data8
      return cursor.u64();
    case 0x0f: // DW_FORM_udata
      return cursor.uleb();
    case 0x1e: // DW_FORM_data16
      cursor.skip(16);
      return undefined;
    case 0x09: // DW_FORM_block
      cursor.skip(cursor.uleb());
      return undefined;
    default:
      throw new RangeError(`form 0x${form.toString(16)} in the line table is not known`);
  }
}
