/** Asks the C compiler what a header says: compiles a program of printf lines, runs it, gives its `name value` lines back. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';

const COMPILER = 'gcc';
const HEADERS = ['/usr/include/hsakmttypes.h', '/usr/include/hsa/hsa_ext_amd.h'];

/** Why these tests cannot run here; empty when they can. */
export function missingHeaders(): string {
  const missing = HEADERS.filter((header) => !existsSync(header));
  if (missing.length > 0 && process.env['DOORBELL_CI'] === '1') throw new Error(`${missing.join(', ')} needed in CI`);
  return skipReason(COMPILER) || (missing.length > 0 ? `${missing.join(', ')} not installed` : '');
}

export function runC(statements: readonly string[]): ReadonlyMap<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-topology-'));
  try {
    const program = join(folder, 'constants');
    const source = [
      '#include <stdio.h>',
      '#include <hsakmttypes.h>',
      '#include <hsa/hsa.h>',
      '#include <hsa/hsa_ext_amd.h>',
      `int main(void) { ${statements.join('\n')} return 0; }`,
    ].join('\n');
    execFileSync(COMPILER, ['-x', 'c', '-o', program, '-'], { input: source, stdio: ['pipe', 'pipe', 'pipe'] });
    const lines = execFileSync(program, { encoding: 'utf8' }).trim().split('\n');
    return new Map(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
