import { isHsaError } from '@doorbell/runtime';
import type { abi, thunkLoader, topology } from '@doorbell/runtime/layers';

/** How a check came out. */
export type CheckResult = 'ok' | 'warning' | 'failed' | 'skipped';

/** What a check found. */
export interface Finding {
  readonly result: CheckResult;
  /** What was looked at and found, a line each. */
  readonly evidence: readonly string[];
  /** One action the reader can take. */
  readonly hint?: string;
}

/** One check of the doctor. */
export interface Check extends Finding {
  readonly name: string;
}

/** What the checks look at. */
export interface CheckContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly node: { readonly os: string; readonly arch: string; readonly version: string };
  readonly platform: thunkLoader.PlatformIdentity;
  /** Release of the kernel, `6.8.0-40-generic`. */
  readonly kernelRelease: string;
  readonly sysfs: abi.SysfsSource;
  readonly libraries: thunkLoader.LibrarySource;
  readonly caller: thunkLoader.Caller;
  readonly trace: thunkLoader.TraceSink | undefined;
}

/** Agents behind a thunk that came up. */
export interface FoundAgents {
  readonly backend: thunkLoader.ThunkBackend;
  readonly discovery: topology.AgentDiscovery;
}

/** A check that cannot be made is a failed one. */
export async function guard(check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return finding('failed', [message], isHsaError(error) ? error.hint : undefined);
  }
}

export function finding(result: CheckResult, evidence: readonly string[], hint?: string): Finding {
  return { result, evidence, ...(hint === undefined ? {} : { hint }) };
}
