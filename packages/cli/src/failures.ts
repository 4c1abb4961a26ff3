import { isHsaError } from '@doorbell/runtime';
import type { ErrorCode } from '@doorbell/runtime';

/** Done; the job failed; wrong usage; the environment lacks something. */
export type ExitCode = 0 | 1 | 2 | 3;

/** The command was used wrongly. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'UsageError';
    this.hint = hint;
  }
}

/** What is to be said of an error. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly code?: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** It is none of the failures that are expected. */
  readonly isBug: boolean;
}

/** What the caller gave is wrong. */
const USAGE: readonly ErrorCode[] = ['ERR_INVALID_ARGUMENT', 'ERR_SYMBOL_NOT_FOUND', 'ERR_FILE'];

/** The machine lacks what the command needs. */
const ENVIRONMENT: readonly ErrorCode[] = [
  'ERR_NO_DEVICE',
  'ERR_KFD_MISSING',
  'ERR_KFD_PERMISSION',
  'ERR_KFD_UNSUPPORTED',
  'ERR_DEVICE_FILE',
  'ERR_TOPOLOGY',
  'ERR_THUNK_NOT_FOUND',
  'ERR_THUNK_SYMBOL',
  'ERR_NATIVE_MODULE',
  'ERR_HOST',
];

/** Sorts an error: what to say, and the exit code. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { exitCode: 2, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }), isBug: false };
  }
  if (isHsaError(error)) {
    const { code, message, hint, details } = error;
    const exitCode = USAGE.includes(code) ? 2 : ENVIRONMENT.includes(code) ? 3 : 1;
    return { exitCode, code, message, ...(hint === undefined ? {} : { hint }), details, isBug: false };
  }
  return { exitCode: 1, message: error instanceof Error ? error.message : String(error), isBug: true };
}
