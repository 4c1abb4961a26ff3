import { HsaError, isHsaError } from '@doorbell/runtime';
import { codeObject } from '@doorbell/runtime/layers';
import { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { fileError, readBytes } from '../code-file.js';
import type { CommonOptions } from '../common-options.js';
import { addCommonOptions } from '../common-options.js';
import { UsageError } from '../failures.js';
import type { CliIo } from '../io.js';
import { Output } from '../output.js';

interface AsmOptions extends CommonOptions {
  readonly target: string;
  readonly output: string;
  readonly wave?: string;
}

/** `doorbell asm FILE.s --target T -o OUT`. */
export function createAsmCommand(io: CliIo): Command {
  const command = new Command('asm')
    .description('Assembles a source file in LLVM syntax into a code object that can be loaded; needs no other tool.')
    .argument('<file>', 'the source (.s): one or more kernels')
    .requiredOption('--target <target>', 'what it is for: gfx1100, gfx90a:xnack-')
    .requiredOption('-o, --output <path>', 'the code object to write')
    .option('--wave <size>', 'wave size of the code, 32 or 64 (default: the processor’s own)')
    .action(async (path: string, options: AsmOptions) => {
      const output = new Output(io, options);
      const waveSize = waveSizeOf(options.wave);
      const source = new TextDecoder().decode(await readBytes(path, io.signal));
      const bytes = assemble(path, source, { target: options.target, ...(waveSize === undefined ? {} : { waveSize }) });
      try {
        await writeFile(options.output, bytes);
      } catch (error) {
        throw fileError(options.output, { action: 'written', error });
      }
      const { target, kernels } = codeObject.parseCodeObject(bytes);
      const names = kernels.map(({ name }) => name);
      const report = { file: options.output, sizeBytes: bytes.length, target: codeObject.formatTargetId(target), kernels: names };
      output.result(report, () => `${options.output}: ${bytes.length} bytes for ${report.target}, ${listKernels(names)}`);
    });
  return addCommonOptions(command, 'doorbell asm vadd.s --target gfx1100 -o vadd.hsaco');
}

/** Assembles; what is wrong is listed as compilers do, `FILE:LINE:COLUMN: message`. */
function assemble(path: string, source: string, options: codeObject.AssembleObjectOptions): Uint8Array {
  try {
    return codeObject.assembleObject(source, options);
  } catch (error) {
    if (!isHsaError(error, 'ERR_ASSEMBLY')) throw error;
    const { problems } = error.details;
    // Safe: assembleObject's documentation says what the details of this code hold.
    const list = problems as readonly codeObject.AssemblyProblem[];
    const lines = list.map((problem) => `${path}:${codeObject.formatProblem(problem)}`);
    throw new HsaError('ERR_ASSEMBLY', {
      message: `${path} has ${list.length === 1 ? 'an error' : `${list.length} errors`}\n${lines.join('\n')}`,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      details: { ...error.details, path },
      cause: error,
    });
  }
}

function waveSizeOf(text: string | undefined): 32 | 64 | undefined {
  if (text === undefined) return undefined;
  if (text === '32') return 32;
  if (text === '64') return 64;
  throw new UsageError(`--wave ${text}: a wave has 32 or 64 work-items`);
}

function listKernels(names: readonly string[]): string {
  return names.length === 0 ? 'no kernel' : `${names.length === 1 ? 'kernel' : 'kernels'} ${names.join(', ')}`;
}
