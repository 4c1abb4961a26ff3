import { findProcessor, type Processor, PROCESSORS } from '@doorbell/abi';
import type { CodeObject, KernelInfo } from '@doorbell/code-object';
import { occupancy } from '@doorbell/code-object';
import { processorQuirks } from '@doorbell/isa';
import type { FindingList } from './finding-list.js';
import { processorOf, type TargetPair } from './relation.js';
import type { KernelReport } from './types.js';

/** Registers that hardware with the `sgpr-init16` quirk must initialise in waves of 32 lanes (LLVM FeatureUserSGPRInit16Bug). */
const INITIALISED_SGPRS = 16;

/** What the kernels need, and whether the target has it. */
export function checkKernels(codeObject: CodeObject, pair: TargetPair, findings: FindingList): readonly KernelReport[] {
  const [source, target] = [membersOf(pair.source.target.processor), membersOf(pair.target.target.processor)];
  const had = processorQuirks(pair.source.target.processor);
  const mustInitialise = processorQuirks(pair.target.target.processor).has('sgpr-init16') && !had.has('sgpr-init16');
  const isSameLayout = processorOf(pair.source).generation === processorOf(pair.target).generation;
  if (!isSameLayout) {
    findings.add({ rule: 'descriptor', severity: 'blocker', message: 'the two targets read kernel descriptors differently' });
  }
  if (codeObject.metadata === undefined) {
    findings.add({
      rule: 'metadata',
      severity: 'info',
      message: 'there is no metadata: workgroups are taken to have up to 1024 work-items',
    });
  }
  return codeObject.kernels.map((kernel) => {
    if (mustInitialise) checkInitialised(kernel, pair, findings);
    const before = fittingWaves(kernel, source);
    const after = fittingWaves(kernel, target);
    checkFit(kernel, { before, after, name: pair.target.target.processor }, findings);
    return reportOf(kernel, { before, after });
  });
}

/** User and system SGPRs together must be enough: what a compiler for such hardware adds moves the system SGPRs, so that it is in the code. */
function checkInitialised(kernel: KernelInfo, pair: TargetPair, findings: FindingList): void {
  const { userSgprCount, workgroupIdX, workgroupIdY, workgroupIdZ, workgroupInfo } = kernel.descriptor;
  const system = [workgroupIdX, workgroupIdY, workgroupIdZ, workgroupInfo].filter(Boolean).length;
  if (kernel.waveSize !== 32 || userSgprCount + system >= INITIALISED_SGPRS) return;
  const { processor } = pair.target.target;
  const message = `kernels initialise fewer than the ${INITIALISED_SGPRS} SGPRs that ${processor} needs in waves of 32 lanes`;
  findings.add({ rule: 'descriptor', severity: 'blocker', message }, () => ({ symbol: kernel.name }));
}

function checkFit(
  kernel: KernelInfo,
  { before, after, name }: { before: number | undefined; after: number | undefined; name: string },
  findings: FindingList,
): void {
  const place = (): { symbol: string } => ({ symbol: kernel.name });
  if (after === 0) {
    const message = `workgroups of the largest size that kernels allow do not fit on ${name}`;
    findings.add({ rule: 'limit', severity: 'blocker', message }, place);
  } else if (before !== undefined && after !== undefined && before !== after) {
    const message = `${after < before ? 'fewer' : 'more'} waves fit on a SIMD of ${name}`;
    findings.add({ rule: 'occupancy', severity: 'info', message }, place);
  }
}

/** The fewest waves of the largest workgroups on any of these processors. */
function fittingWaves(kernel: KernelInfo, processors: readonly Processor[]): number | undefined {
  if (processors.length === 0) return undefined;
  const workgroup = [kernel.maxFlatWorkgroupSize, 1, 1] as const;
  return Math.min(...processors.map((processor) => occupancy(kernel, { workgroup, processor }).wavesPerSimd));
}

/** The processors that code for this one runs on. */
function membersOf(name: string): readonly Processor[] {
  const processor = findProcessor(name);
  if (processor === undefined) return [];
  if (!processor.isGeneric) return [processor];
  return PROCESSORS.filter(({ generic, isGeneric, isAgentProcessor }) => generic === name && !isGeneric && isAgentProcessor);
}

function reportOf(
  kernel: KernelInfo,
  { before, after }: { before: number | undefined; after: number | undefined },
): KernelReport {
  const { name, vgprs, sgprs, groupBytes, privateBytes, waveSize, maxFlatWorkgroupSize } = kernel;
  return {
    name,
    vgprs,
    sgprs,
    ldsBytes: groupBytes,
    scratchBytes: privateBytes,
    waveSize,
    maxFlatWorkgroupSize,
    wavesPerSimd: {
      ...(before === undefined ? {} : { source: before }),
      ...(after === undefined ? {} : { target: after }),
    },
  };
}
