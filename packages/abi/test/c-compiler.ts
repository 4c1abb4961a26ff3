import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requireTool } from '@doorbell/test-support';

/** Why C programs with these headers cannot be compiled here; '' when they can. In CI a missing one is an error. */
export function whyNoHeaders(...headers: readonly string[]): string {
  const compiler = requireTool('g++');
  if (!compiler.available) return compiler.reason;
  const missing = headers.filter((header) => !existsSync(header));
  if (missing.length > 0 && process.env['DOORBELL_CI'] === '1') throw new Error(`needed in CI: ${missing.join(', ')}`);
  return missing.length === 0 ? '' : `${missing.join(', ')} not installed`;
}

/** Compiles a C or C++ program and gives what it prints. drm/drm.h may be absent: nothing of it is needed here. */
export function runC(source: string, language: 'c' | 'c++' = 'c'): string {
  const work = mkdtempSync(join(tmpdir(), 'doorbell-abi-'));
  try {
    const stub = join(work, 'include/drm/drm.h');
    mkdirSync(dirname(stub), { recursive: true });
    writeFileSync(stub, '#include <linux/types.h>\n#include <linux/ioctl.h>\n');
    const file = join(work, language === 'c' ? 'program.c' : 'program.cpp');
    writeFileSync(file, source);
    const program = join(work, 'program');
    execFileSync(language === 'c' ? 'gcc' : 'g++', ['-w', '-idirafter', join(work, 'include'), '-o', program, file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return execFileSync(program, { encoding: 'utf8' });
  } finally {
    rmSync(work, { recursive: true });
  }
}
