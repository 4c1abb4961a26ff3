import { codeObject } from '@doorbell/runtime/layers';
import { Command } from 'commander';
import { chooseCodeObject, parseCodeFile, readBytes } from '../code-file.js';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import type { ListingSection } from '../disassembly.js';
import { formatObjdump, formatSource, listSections } from '../disassembly.js';
import type { CliIo } from '../io.js';
import { Output } from '../output.js';

interface DisasmOptions extends CommonOptions {
  readonly kernel?: string;
  readonly target?: string;
  readonly addresses?: boolean;
  readonly bytes?: boolean;
  readonly objdump?: boolean;
}

/** `doorbell disasm FILE`. */
export function createDisasmCommand(io: CliIo): Command {
  const command = new Command('disasm')
    .description('Disassembles a code object, with labels for symbols and branch targets.')
    .argument('<file>', 'a code object (.hsaco), an offload bundle, or a program or library with bundles in it')
    .option('--kernel <name>', 'this kernel only')
    .option('--target <target>', 'the entry for this target: gfx1100')
    .option('--addresses', 'print addresses')
    .option('--bytes', 'print encodings')
    .option('--objdump', 'print exactly what llvm-objdump -d prints, with addresses and encodings')
    .action(async (path: string, options: DisasmOptions) => {
      const output = new Output(io, options);
      const code = chooseCodeObject(parseCodeFile(await readBytes(path, io.signal)), options.target);
      const sections = [...listSections(code, options.kernel)];
      const target = codeObject.formatTargetId(code.target);
      output.result({ file: path, target, sections: sections.map(reportSection) }, () => {
        const { addresses = false, bytes = false, objdump = false } = options;
        const parts = objdump ? formatObjdump(path, sections) : formatSource(sections, { addresses, bytes });
        return [...parts].join('');
      });
    });
  return addCommonOptions(command, 'doorbell disasm vadd.hsaco --kernel vadd');
}

function reportSection({ name, blocks }: ListingSection): unknown {
  return {
    name,
    blocks: Array.from(blocks, ({ lines, ...block }) => ({
      ...block,
      lines: lines.map(({ bytes, text, targetAddress: _, ...line }) => ({
        ...line,
        bytes: Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
        // A run of zeros has no text.
        text: text === '' ? '...' : text,
      })),
    })),
  };
}
