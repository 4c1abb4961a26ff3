import { findProcessor, HsaError, type Processor, type TargetFeature } from '@doorbell/abi/core';
import { createAssembler } from '@doorbell/isa';
import { formatTargetId, parseTargetId, type TargetId } from '../target/target-id.js';
import { linkSharedObject } from '../write/link.js';
import { kernelTarget } from './kernel-target.js';
import { Problems } from './problems.js';
import { resolveObject } from './resolve.js';
import { SourceAssembler } from './source-assembler.js';

export interface AssembleObjectOptions {
  /** Target id, `gfx1100` or `gfx90a:sramecc+:xnack-`. */
  readonly target: string;
  /** Wave size of the code; default: the processor's own. */
  readonly waveSize?: 32 | 64;
  /** Unless `.amdhsa_code_object_version` says otherwise; default 6, as in LLVM 22. */
  readonly codeObjectVersion?: 4 | 5 | 6;
}

/**
 * Assembles and links a source file in LLVM's syntax for `amdgcn-amd-amdhsa` into a loadable code object, as `clang -target
 * amdgcn-amd-amdhsa -mcpu=… FILE.s` makes it. Needs no other tool.
 *
 * @throws {HsaError} ERR_ASSEMBLY the source is wrong: `details.problems` has every problem with line, column and what was
 *   expected, `details.line`, `details.column` and the message the first one; ERR_INVALID_ARGUMENT the target is none;
 *   ERR_NOT_SUPPORTED there is no instruction table for it.
 * @example
 * const bytes = assembleObject(source, { target: 'gfx1100' });
 * const [kernel] = parseCodeObject(bytes).kernels;
 */
export function assembleObject(source: string, options: AssembleObjectOptions): Uint8Array {
  const target = parseTargetId(options.target);
  const processor = findProcessor(target.processor);
  if (!processor) throw new HsaError('ERR_INVALID_ARGUMENT', { message: `there is no processor ${target.processor}` });
  const waveSize = options.waveSize ?? processor.waveSize;
  if (waveSize === 32 && processor.waveSize === 64) {
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${processor.name} has no waves of 32`, details: { waveSize } });
  }
  const problems = new Problems();
  const assembler = new SourceAssembler(
    source,
    {
      targetName: formatTargetId(target),
      kernel: kernelTarget(processor, target, waveSize),
      instructions: createAssembler(processor.name, { waveSize }),
    },
    problems,
  );
  assembler.run();
  const object = resolveObject(assembler.sections, assembler.symbols, problems);
  if (!problems.isEmpty) throw problems.toError();
  const version = assembler.codeObjectVersion ?? options.codeObjectVersion ?? 6;
  const linked = linkSharedObject({ abiVersion: version - 2, flags: elfFlags(processor, target, version), ...object });
  if (linked.ok) return linked.bytes;
  for (const { origin, ...problem } of linked.problems) problems.add(problem, origin);
  throw problems.toError();
}

/** EF_AMDGPU_FEATURE_…_V4: 0 unsupported, 1 any, 2 off, 3 on (LLVM ELF.h). */
const FEATURE_CODES = { unsupported: 0, any: 1, off: 2, on: 3 } as const;
const FEATURE_SHIFTS: Readonly<Record<TargetFeature, number>> = { xnack: 8, sramecc: 10 };
/** Of the generic targets' definitions; all have version 1 (LLVM AMDGPUUsage, "Generic processor code object versioning"). */
const GENERIC_VERSION = 1;

function elfFlags(processor: Processor, target: TargetId, version: 4 | 5 | 6): number {
  if (processor.isGeneric && version < 6) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${processor.name} is a generic target, which needs code object version 6, not ${version}`,
      details: { processor: processor.name, version },
    });
  }
  // LLVM 22 writes both features of gfx125x, which target ids do not name, as `any`.
  const { xnack, sramecc } = processor.generation === 'gfx125' ? ({ xnack: 'any', sramecc: 'any' } as const) : target;
  const features = (FEATURE_CODES[xnack] << FEATURE_SHIFTS.xnack) | (FEATURE_CODES[sramecc] << FEATURE_SHIFTS.sramecc);
  return (processor.mach | features | (processor.isGeneric ? GENERIC_VERSION << 24 : 0)) >>> 0;
}
