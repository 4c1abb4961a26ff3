import { parseElf } from '@doorbell/code-object';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** A hash of a section. */
export function sectionBytes(bytes: Uint8Array, name: string): string {
  const section = parseElf(bytes).sections.find((one) => one.name === name);
  if (section === undefined) return '';
  const start = Number(section.fileOffset);
  return createHash('sha256')
    .update(bytes.subarray(start, start + Number(section.sizeBytes)))
    .digest('hex');
}

/** What objdump prints for many zeros, for one zero dword, and for what stands behind kernels. */
const PADDING = /^(?:\.\.\.|s_code_end|v_cndmask_b32_e32 v0, s0, v0, vcc(?:_lo)?)$/;

/**
 * What llvm-mc for `target` refuses of a code object as llvm-objdump disassembles it; empty when it takes everything. objdump follows
 * e_flags; that it prints an instruction does not mean that the target has it with these operands.
 */
export function unknownInstructions(file: string, target: string): string {
  const dump = spawnSync('llvm-objdump-22', ['-d', '--no-show-raw-insn', '--no-leading-addr', file], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (dump.status !== 0 || dump.stderr !== '') return dump.stderr || 'llvm-objdump failed';
  const lines: string[] = [];
  let isWave64 = false;
  for (const line of dump.stdout.split('\n')) {
    if (!/^\t/.test(line)) continue;
    const text = line
      .replace(/\/\/.*/, '')
      .replace(/<.*>/, '')
      .trim();
    if (text === '' || PADDING.test(text)) continue;
    if (/\bvcc, |s\[\d+:\d+\], exec$/.test(text) && /^v_cmp/.test(text)) isWave64 = true;
    // Distances of branches are printed as unsigned numbers, which the assembler takes as they are.
    lines.push(text);
  }
  const features = isWave64 && !target.startsWith('gfx9') ? ['-mattr=+wavefrontsize64'] : [];
  const mc = spawnSync('llvm-mc-22', ['-triple=amdgcn', `-mcpu=${target}`, ...features, '-filetype=obj', '-o', '/dev/null'], {
    input: [...new Set(lines)].join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return mc.stderr.split('\n').slice(0, 6).join('\n').trim();
}
