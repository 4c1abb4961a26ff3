import type { ErrorCode, ErrorCodeInfo } from './error-codes.js';
import { ERROR_CODES } from './error-codes.js';

const BRAND = Symbol.for('@doorbell/HsaError');

/** Everything an {@link HsaError} carries beside its code. */
export interface HsaErrorOptions {
  /** For people: what was tried, what was found, with values. */
  readonly message: string;
  /** The `hsa_status_t` a C caller gets; default: the status listed for the code. */
  readonly hsaStatus?: number;
  /** The lowest fact when a system call failed: the errno number, positive. */
  readonly errno?: number;
  /** One action the reader can take. */
  readonly hint?: string;
  /** Machine-readable facts. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * The one error class for failures that come from outside: the machine, the driver, a file, an argument.
 * Recognise it with {@link isHsaError}, which also works across several copies of this package.
 */
export class HsaError extends Error {
  /** Stable string from one documented list; see {@link ERROR_CODES}. */
  readonly code: ErrorCode;
  /** The `hsa_status_t` a C caller gets. */
  readonly hsaStatus: number;
  readonly errno?: number;
  readonly hint?: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: HsaErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HsaError';
    this.code = code;
    const info: ErrorCodeInfo = ERROR_CODES[code];
    this.hsaStatus = options.hsaStatus ?? info.hsaStatus;
    if (options.errno !== undefined) this.errno = options.errno;
    const hint = options.hint ?? info.cure;
    if (hint !== undefined) this.hint = hint;
    this.details = options.details ?? {};
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Whether `error` is an {@link HsaError} (of any copy of this package), and of `code` when one is given. */
export function isHsaError(error: unknown, code?: ErrorCode): error is HsaError {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

/** A broken assertion about our own state: a bug in Doorbell, never caught, please report. */
export class InternalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(`${message} (this is a bug in Doorbell)`, options);
    this.name = 'InternalError';
  }
}
