import { parseTargetId, formatTargetId } from '../../target/target-id.js';
import { isHsaError } from '@doorbell/abi/core';
import type { Expression } from '@doorbell/isa';
import { SHF_ALLOC, SHT_NOTE, STT_OBJECT, STV_DEFAULT, STV_PROTECTED } from '../../elf/elf-constants.js';
import { KERNEL_DESCRIPTOR_BYTES } from '../../kernel/kernel-descriptor.js';
import { KernelBlock, type KernelValue } from '../kernel-block.js';
import { linearValue } from '../linear.js';
import { encodeMetadataNote } from '../metadata-note.js';
import { SourceError } from '../problems.js';
import type { SourceAssembler } from '../source-assembler.js';
import { YamlError } from '../yaml.js';
import { type DirectiveHandler, readName, withTokens } from './handler.js';

const METADATA_END = /^\s*\.end_amdgpu_metadata(?![\w.$])/;
const NEVER = /^(?!)/;

/** Directives of AMDGPU code objects. */
export const KERNEL_DIRECTIVES: Readonly<Record<string, DirectiveHandler>> = {
  '.amdgcn_target': withTokens((assembler, reader) => {
    const token = reader.peek();
    if (token.kind !== 'string') reader.fail(['a target id in quotes']);
    reader.next();
    checkTarget(assembler, token.text, token.column);
  }),
  '.amdhsa_code_object_version': withTokens((assembler, reader) => {
    const { column } = reader.peek();
    const version = assembler.absolute(reader, 'the version');
    if (version !== 4n && version !== 5n && version !== 6n) {
      throw new SourceError(`code object version ${version} is not written`, { column, expected: ['4', '5', '6'] });
    }
    assembler.codeObjectVersion = version === 4n ? 4 : version === 5n ? 5 : 6;
  }),
  '.amdhsa_kernel': withTokens((assembler, reader) => {
    if (assembler.kernel) throw new SourceError(`the kernel ${assembler.kernel.name} has no .end_amdhsa_kernel before this one`);
    const name = readName(reader, 'the name of a kernel');
    assembler.kernel = new KernelBlock(name, assembler.target.kernel, assembler.place());
  }),
  '.end_amdhsa_kernel': withTokens((assembler) => {
    const { kernel } = assembler;
    if (!kernel) throw new SourceError('.end_amdhsa_kernel without .amdhsa_kernel');
    assembler.kernel = undefined;
    emitDescriptor(assembler, kernel);
  }),
  '.amdgpu_metadata': emitMetadata,
  '.end_amdgpu_metadata': () => {
    throw new SourceError('.end_amdgpu_metadata without .amdgpu_metadata');
  },
};

function checkTarget(assembler: SourceAssembler, text: string, column: number): void {
  let named: string;
  try {
    named = formatTargetId(parseTargetId(text));
  } catch (error) {
    if (!isHsaError(error)) throw error;
    throw new SourceError(error.message, { column });
  }
  if (named !== assembler.target.targetName) {
    throw new SourceError(`the source is for ${named}, and is assembled for ${assembler.target.targetName}`, { column });
  }
}

/** The descriptor goes where the directive stands; its symbol is `NAME.kd` (LLVM AMDGPUUsage, ".amdhsa_kernel"). */
function emitDescriptor(assembler: SourceAssembler, kernel: KernelBlock): void {
  const { sections, symbols } = assembler;
  const section = sections.current;
  const offset = section.sizeBytes;
  const code = symbols.get(kernel.name);
  code.isUsed = true;
  code.origin ??= kernel.origin;
  const name = `${kernel.name}.kd`;
  const descriptor = symbols.get(name);
  descriptor.binding = code.binding;
  descriptor.hasBinding = true;
  descriptor.visibility = code.visibility;
  descriptor.type = STT_OBJECT;
  descriptor.size = { expression: { kind: 'number', value: BigInt(KERNEL_DESCRIPTOR_BYTES) }, origin: kernel.origin };
  // The descriptor holds the distance to the code, which nobody else may replace then.
  if (code.visibility === STV_DEFAULT) code.visibility = STV_PROTECTED;
  symbols.defineLabel(name, { section, offset }, kernel.origin);
  const entry: Expression = { kind: 'binary', operator: '-', left: symbol(kernel.name), right: symbol(name) };
  assembler.defer({ kind: 'data', offset: offset + 16, sizeBytes: 8, expression: entry, origin: kernel.origin });
  sections.write(new Uint8Array(KERNEL_DESCRIPTOR_BYTES));
  assembler.atEnd.push(() => {
    try {
      section.content.patch(
        offset,
        kernel.encode((value) => readValue(assembler, value)),
      );
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      assembler.problems.add({ message: error.message, expected: error.expected }, kernel.origin);
    }
  });
}

function symbol(name: string): Expression {
  return { kind: 'symbol', name, modifier: '' };
}

function readValue(assembler: SourceAssembler, { value }: KernelValue): bigint {
  if (typeof value === 'bigint') return value;
  const { added, taken, constant } = linearValue(value, assembler.symbols);
  const unknown = added ?? taken;
  if (unknown) throw new SourceError(`${unknown.symbol.name} is not defined as a number`);
  return constant;
}

function emitMetadata(assembler: SourceAssembler): void {
  const origin = assembler.place();
  const lines = assembler.lines.readBlock(NEVER, METADATA_END);
  if (!lines) throw new SourceError('.amdgpu_metadata without .end_amdgpu_metadata');
  if (assembler.metadata) throw new SourceError(`metadata is there already in line ${assembler.metadata.line}`);
  assembler.metadata = origin;
  let note: Uint8Array;
  try {
    note = encodeMetadataNote(lines);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    assembler.problems.add({ message: error.message }, { line: origin.line + 1 + error.yamlLine, column: error.column ?? 1 });
    return;
  }
  assembler.sections.push();
  assembler.sections.switchTo('.note', { type: SHT_NOTE, flags: SHF_ALLOC });
  assembler.sections.alignTo(4, undefined, 0);
  assembler.sections.write(note);
  assembler.sections.pop();
}
