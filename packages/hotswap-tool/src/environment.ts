/** Variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says of HotSwap. */
export interface HotSwapEnvironment {
  /** `HSA_HOTSWAP_DISABLE`: the kill switch. It rules over everything else. */
  readonly disabled: boolean;
  /** `HSA_HOTSWAP_VERBOSE`: every decision is told, not only refusals. */
  readonly verbose: boolean;
}

/** Spellings of "no" of ROCr's flag variables; unset and empty count as no, everything else as yes. */
const NO: readonly string[] = ['', '0', 'off', 'false', 'no', 'n', 'f'];

/** Reads HotSwap's variables. */
export function readHotSwapEnvironment(env: Env): HotSwapEnvironment {
  const isSet = (name: string): boolean => !NO.includes((env[name] ?? '').toLowerCase());
  return { disabled: isSet('HSA_HOTSWAP_DISABLE'), verbose: isSet('HSA_HOTSWAP_VERBOSE') };
}
