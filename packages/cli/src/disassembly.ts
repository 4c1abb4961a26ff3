import { codeObject, isa } from '@doorbell/runtime/layers';

type CodeObject = codeObject.CodeObject;
type ElfSymbol = codeObject.ElfSymbol;
type SectionHeader = codeObject.SectionHeader;

/** One line of a listing. */
interface ListingLine {
  readonly address: bigint;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Where a branch leads: `loop`, `kernel+0x40`. */
  readonly target?: string;
  readonly targetAddress?: bigint;
}

/** The code from one symbol to the next. */
interface ListingBlock {
  /** Empty for code before the first symbol of its section. */
  readonly symbol: string;
  readonly address: bigint;
  readonly waveSize: 32 | 64;
  readonly lines: readonly ListingLine[];
}

/** A section with code. */
export interface ListingSection {
  readonly name: string;
  /** One at a time, since all of them can be large. */
  readonly blocks: Iterable<ListingBlock>;
}

/** What to print behind the instructions of a listing. */
export interface ListingFormat {
  readonly addresses: boolean;
  readonly bytes: boolean;
}

/** ELF gABI sh_flags and symbol types. */
const SHF_EXECINSTR = 4n;
const STT_NOTYPE = 0;
const STT_SECTION = 3;
const STT_FILE = 4;

/** llvm-objdump pads instructions to 60 columns, the tab counted as one. */
const TEXT_COLUMNS = 59;
/** llvm-objdump shows this many zero bytes and more as one line. */
const MIN_SKIPPED_ZEROS = 8;

/**
 * The listing of a code object, or of one kernel in it, block by block as llvm-objdump -d makes it; a kernel's own wave size
 * is used for its block.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED for a processor whose instructions are not known; ERR_SYMBOL_NOT_FOUND.
 */
export function* listSections(code: CodeObject, kernelName?: string): Generator<ListingSection, void, undefined> {
  const kernel = kernelName === undefined ? undefined : codeObject.findKernel(code, kernelName);
  for (const [index, section] of code.elf.sections.entries()) {
    if ((section.flags & SHF_EXECINSTR) === 0n || section.sizeBytes === 0n) continue;
    const symbols = symbolsOf(code, index);
    const spans = spansOf(section, symbols).filter(({ address }) => kernel === undefined || address === kernel.entryVaddr);
    if (spans.length === 0) continue;
    const nameAt = (address: bigint): string | undefined => nameOf(address, section, symbols);
    yield { name: section.name, blocks: { [Symbol.iterator]: () => listBlocks(code, section, { spans, nameAt }) } };
  }
}

/** What llvm-objdump -d prints of a file, block by block. */
export function* formatObjdump(path: string, sections: Iterable<ListingSection>): Generator<string, void, undefined> {
  yield `\n${path}:\tfile format elf64-amdgpu\n`;
  for (const section of sections) {
    yield `\nDisassembly of section ${section.name}:\n`;
    for (const { symbol, address, lines } of section.blocks) {
      const texts = lines.map((line) => formatLine(line, { addresses: true, bytes: true }));
      yield `\n${hex(address, 16)} <${symbol}>:\n${texts.join('')}`;
    }
  }
}

/** A listing in the form of a source: symbols and branch targets are labels. Block by block. */
export function* formatSource(sections: Iterable<ListingSection>, format: ListingFormat): Generator<string, void, undefined> {
  let labelCount = 0;
  for (const { name, blocks } of sections) {
    yield `\t${name === '.text' ? name : `.section ${name}`}\n`;
    for (const { symbol, address, lines } of blocks) {
      const labels = new Map<bigint, string>();
      const targets = new Set(lines.map(({ targetAddress }) => targetAddress));
      for (const line of lines)
        if (line.address !== address && targets.has(line.address)) labels.set(line.address, `.L${labelCount++}`);
      labels.set(address, symbol);
      yield `\n${lines.map((line) => formatSourceLine(line, labels, format)).join('')}`;
    }
  }
}

function formatSourceLine(line: ListingLine, labels: ReadonlyMap<bigint, string>, format: ListingFormat): string {
  const own = labels.get(line.address);
  const { target, targetAddress, ...rest } = line;
  const label = targetAddress === undefined ? undefined : (labels.get(targetAddress) ?? symbolOnly(target));
  let printed: ListingLine = line;
  if (line.text === '') printed = { ...rest, text: `.zero ${line.bytes.length}` };
  // The distance, which is the last operand, by name; a place in the middle of other code stays a number with a comment.
  else if (label !== undefined) printed = { ...rest, text: line.text.replace(/\d+$/, label) };
  return `${own === undefined ? '' : `${own}:\n`}${formatLine(printed, format)}`;
}

function symbolOnly(target: string | undefined): string | undefined {
  return target?.includes('+0x') === true ? undefined : target;
}

function formatLine({ address, bytes, text, target }: ListingLine, format: ListingFormat): string {
  if (text === '') return '\t\t...\n';
  const parts = [
    ...(format.addresses ? [`${hex(address, 12).toUpperCase()}:`] : []),
    ...(format.bytes ? [words(bytes)] : []),
    ...(target === undefined ? [] : [`<${target}>`]),
  ];
  return parts.length === 0 ? `\t${text}\n` : `\t${text.padEnd(TEXT_COLUMNS)}// ${parts.join(' ')}\n`;
}

/** Little-endian dwords; single bytes where fewer than 4 are left. */
function words(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4) return Array.from(bytes, (byte) => hex(BigInt(byte), 2).toUpperCase()).join(' ');
  return Array.from({ length: bytes.length >> 2 }, (_, i) => hex(BigInt(view.getUint32(i * 4, true)), 8).toUpperCase()).join(' ');
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Named symbols of a section by address; of several at one address, the one that llvm-objdump shows. */
function symbolsOf(code: CodeObject, sectionIndex: number): readonly ElfSymbol[] {
  const named = code.symbols.filter(
    ({ name, type, sectionIndex: section }) =>
      section === sectionIndex && name !== '' && type !== STT_SECTION && type !== STT_FILE,
  );
  const byAddress = new Map<bigint, ElfSymbol>();
  for (const symbol of named) {
    const other = byAddress.get(symbol.value);
    if (other === undefined || comesAfter(symbol, other)) byAddress.set(symbol.value, symbol);
  }
  return [...byAddress.values()].sort((a, b) => (a.value < b.value ? -1 : 1));
}

/** Symbols of a type go before those of none, then the name that sorts last. */
function comesAfter(symbol: ElfSymbol, other: ElfSymbol): boolean {
  const isLabel = symbol.type === STT_NOTYPE;
  if (isLabel !== (other.type === STT_NOTYPE)) return !isLabel;
  return symbol.name > other.name;
}

interface Span {
  readonly symbol: string;
  readonly address: bigint;
  readonly end: bigint;
}

/** From each symbol to the next; the code before the first has no name. */
function spansOf(section: SectionHeader, symbols: readonly ElfSymbol[]): readonly Span[] {
  const end = section.vaddr + section.sizeBytes;
  const starts = symbols.filter(({ value }) => value >= section.vaddr && value < end);
  const spans = starts.map(({ name, value }, index) => ({
    symbol: name,
    address: value,
    end: starts[index + 1]?.value ?? end,
  }));
  const first = spans[0]?.address ?? end;
  if (first === section.vaddr) return spans;
  return [{ symbol: section.name, address: section.vaddr, end: first }, ...spans];
}

function* listBlocks(
  code: CodeObject,
  section: SectionHeader,
  { spans, nameAt }: { readonly spans: readonly Span[]; readonly nameAt: (address: bigint) => string | undefined },
): Generator<ListingBlock, void, undefined> {
  for (const span of spans) yield listBlock(code, section, span, nameAt);
}

function listBlock(
  code: CodeObject,
  section: SectionHeader,
  span: Span,
  nameAt: (address: bigint) => string | undefined,
): ListingBlock {
  const start = Number(section.fileOffset + (span.address - section.vaddr));
  const bytes = code.bytes.subarray(start, start + Number(span.end - span.address));
  const waveSize = waveSizeAt(code, span.address);
  const lines: ListingLine[] = [];
  const { name: processor } = code.processor;
  let offset = 0;
  while (offset < bytes.length) {
    const zeros = skippableZeros(bytes, offset);
    if (zeros > 0) {
      lines.push({ address: span.address + BigInt(offset), bytes: bytes.subarray(offset, offset + zeros), text: '' });
      offset += zeros;
      continue;
    }
    const rest = bytes.subarray(offset);
    const baseAddress = span.address + BigInt(offset);
    for (const line of isa.disassemble(rest, { processor, waveSize, baseAddress })) {
      const target = line.instruction && branchTarget(line.instruction, line.address);
      const targetName = target === undefined ? undefined : nameAt(target);
      const { address, text } = line;
      const lineBytes = rest.subarray(line.offset, line.offset + line.sizeBytes);
      lines.push({
        address,
        bytes: lineBytes,
        text,
        ...(targetName === undefined ? {} : { target: targetName }),
        ...(target === undefined ? {} : { targetAddress: target }),
      });
      offset += line.sizeBytes;
      if (skippableZeros(bytes, offset) > 0) break;
    }
  }
  return { symbol: span.symbol, address: span.address, waveSize, lines };
}

/** A kernel's own wave size; for other code the one that all kernels have, else the processor's. */
function waveSizeAt({ kernels, processor }: CodeObject, address: bigint): 32 | 64 {
  const kernel = kernels.find(({ entryVaddr }) => entryVaddr === address);
  if (kernel) return kernel.waveSize;
  const [first] = kernels;
  return first && kernels.every(({ waveSize }) => waveSize === first.waveSize) ? first.waveSize : processor.waveSize;
}

/** Address that a branch with a constant distance leads to: the next instruction plus simm16 dwords. */
function branchTarget(instruction: isa.Instruction, address: bigint): bigint | undefined {
  if (!instruction.hasFlag('isBranch') || instruction.format !== 'SOPP') return undefined;
  const distance = ((instruction.words[0] ?? 0) << 16) >> 16;
  return address + BigInt(instruction.sizeBytes + distance * 4);
}

/** The nearest symbol at or before an address of the section, with the distance to it. */
function nameOf(address: bigint, section: SectionHeader, symbols: readonly ElfSymbol[]): string | undefined {
  if (address < section.vaddr || address >= section.vaddr + section.sizeBytes) return undefined;
  const symbol = symbols.findLast(({ value }) => value <= address);
  if (symbol === undefined) return undefined;
  return symbol.value === address ? symbol.name : `${symbol.name}+0x${(address - symbol.value).toString(16)}`;
}

/** Zero bytes from `offset` on that are shown as one line: a whole number of dwords, none when there are few. */
function skippableZeros(bytes: Uint8Array, offset: number): number {
  let end = offset;
  while (end < bytes.length && bytes[end] === 0) end++;
  const zeros = end - offset;
  return zeros < MIN_SKIPPED_ZEROS ? 0 : zeros & ~3;
}
