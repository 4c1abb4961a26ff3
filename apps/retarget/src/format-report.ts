import type { hotswapTool } from '@doorbell/runtime/layers';

/** The report of a rewrite, line by line. */
export function formatReport(report: hotswapTool.RewriteReport): string[] {
  const { source, target, relation, status, changes, kernels, findings, code } = report;
  return [
    `Rewrite ${source.isaName} → ${target.isaName} (${relation}): ${status}`,
    ...changes.map(({ field, before, after }) => `  ${field}: ${before} → ${after}`),
    ...kernels.map(
      ({ name, vgprs, sgprs, wavesPerSimd }) =>
        `  kernel ${name}: ${vgprs} VGPRs, ${sgprs} SGPRs, waves per SIMD ${wavesPerSimd.source ?? '?'} → ${wavesPerSimd.target ?? '?'}`,
    ),
    `  ${code.instructions} instructions in ${code.functions} function(s), decoded for both`,
    ...findings.map(({ severity, rule, message, count }) => `  ${severity} ${rule}: ${message} (${count})`),
  ];
}
