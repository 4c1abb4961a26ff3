import type { CodeMap } from './code-map.js';
import { DWORD_BYTES, MARK } from './code-map.js';
import type { FlowGap } from './control-flow-types.js';

/** The bytes that no reachable instruction has, in runs of one kind. */
export function findGaps(code: CodeMap): readonly FlowGap[] {
  const gaps: FlowGap[] = [];
  for (let offset = 0; offset < code.sizeBytes; ) {
    if (code.has(offset, MARK.covered)) {
      offset += DWORD_BYTES;
      continue;
    }
    let end = offset;
    while (end < code.sizeBytes && !code.has(end, MARK.covered)) end += DWORD_BYTES;
    splitGap(code, offset, Math.min(end, code.sizeBytes), gaps);
    offset = end;
  }
  return gaps;
}

type Unit = FlowGap['kind'] | 'nop';

function splitGap(code: CodeMap, start: number, end: number, gaps: FlowGap[]): void {
  const runs: { start: number; end: number; kind: Unit }[] = [];
  for (let offset = start; offset < end; ) {
    const { kind, sizeBytes } = classify(code, offset, end);
    const last = runs.at(-1);
    if (last?.kind === kind) last.end = offset + sizeBytes;
    else runs.push({ start: offset, end: offset + sizeBytes, kind });
    offset += sizeBytes;
  }
  let previous: { start: number; end: number; kind: FlowGap['kind'] } | undefined;
  for (const [index, run] of runs.entries()) {
    // s_nop is padding where it touches padding or an end, and part of code between code.
    const isInCode = runs[index - 1]?.kind === 'code' && runs[index + 1]?.kind === 'code';
    const kind = run.kind === 'nop' ? (isInCode ? 'code' : 'padding') : run.kind;
    if (previous?.kind === kind) previous.end = run.end;
    else {
      if (previous) gaps.push(previous);
      previous = { start: run.start, end: run.end, kind };
    }
  }
  if (previous) gaps.push(previous);
}

function classify(code: CodeMap, offset: number, end: number): { kind: Unit; sizeBytes: number } {
  const left = end - offset;
  const { bytes } = code;
  const isZero = left >= DWORD_BYTES && [0, 1, 2, 3].every((n) => bytes[offset + n] === 0);
  if (isZero) return { kind: 'padding', sizeBytes: DWORD_BYTES };
  const instruction = code.at(offset);
  // An instruction that runs into reachable code is none.
  if (instruction === undefined || instruction.sizeBytes > left) return { kind: 'data', sizeBytes: Math.min(DWORD_BYTES, left) };
  const { name, sizeBytes } = instruction;
  return { kind: name === 's_code_end' ? 'padding' : name === 's_nop' ? 'nop' : 'code', sizeBytes };
}
