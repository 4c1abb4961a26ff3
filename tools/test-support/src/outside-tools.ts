import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

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
 * Looks for a program on the PATH. In CI a missing one throws, elsewhere the test skips:
 * `it.skipIf(!requireTool('llvm-mc-22').available)(…)`.
 */
export function requireTool(program: string): ToolCheck {
  const known = checked.get(program);
  if (known) return known;
  const available = (process.env['PATH'] ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)));
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be run: both mean that this folder does not have the program.
    return false;
  }
}
