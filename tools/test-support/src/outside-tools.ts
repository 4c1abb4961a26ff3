import { spawnSync } from 'node:child_process';

/** Whether a program or file that a test needs is there, and why not. */
export interface ToolCheck {
  readonly available: boolean;
  /** For the skip message; empty when available. */
  readonly reason: string;
}

const checked = new Map<string, ToolCheck>();

/** In CI a missing tool is a failure, not a skip (`DOORBELL_CI=1`). */
const isCi = process.env['DOORBELL_CI'] === '1';

/**
 * Looks for a program on the PATH by running it with `--version` (or `args`). In CI a missing one throws, elsewhere the test skips:
 * `it.skipIf(!requireTool('llvm-mc-22').available)(…)`.
 */
export function requireTool(program: string, args: readonly string[] = ['--version']): ToolCheck {
  const known = checked.get(program);
  if (known) return known;
  const run = spawnSync(program, args, { stdio: 'ignore' });
  const available = run.error === undefined;
  const check: ToolCheck = available ? { available, reason: '' } : { available, reason: `${program} is not installed` };
  checked.set(program, check);
  if (!available && isCi) throw new Error(`${program} is needed in CI and is not installed`);
  return check;
}

/** {@link requireTool} as a predicate. */
export function hasTool(program: string): boolean {
  return requireTool(program).available;
}

/** Reason for `describe.skipIf` titles: names the first missing tool, or '' when all are there. */
export function skipReason(...programs: readonly string[]): string {
  for (const program of programs) {
    const { available, reason } = requireTool(program);
    if (!available) return reason;
  }
  return '';
}
