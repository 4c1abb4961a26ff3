/** Variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says of HotSwap. */
export interface HotSwapEnvironment {
  /** `HSA_HOTSWAP_DISABLE`: the kill switch. It rules over everything else. */
  readonly disabled: boolean;
  /** `HSA_HOTSWAP_VERBOSE`: every decision is told, not only refusals. */
  readonly verbose: boolean;
  /** `DOORBELL_HOTSWAP_RETARGET`: a code object for a relative of the agent is retargeted at load. */
  readonly retarget: boolean;
  /** `AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES`: kernels of the gfx12.5 family get the work-around at their entries. */
  readonly entryTrampolines: boolean;
  /** `HSA_HOTSWAP_STRICT_MODE`: gfx1250 code is cleaned up on later steppings too, and not loaded without. */
  readonly strict: boolean;
}

/** Spellings of "no" of ROCr's flag variables; unset and empty count as no, everything else as yes. */
const NO: readonly string[] = ['', '0', 'off', 'false', 'no', 'n', 'f'];

/** Reads HotSwap's variables. */
export function readHotSwapEnvironment(env: Env): HotSwapEnvironment {
  const isSet = (name: string): boolean => !NO.includes((env[name] ?? '').toLowerCase());
  return {
    disabled: isSet('HSA_HOTSWAP_DISABLE'),
    verbose: isSet('HSA_HOTSWAP_VERBOSE'),
    retarget: isSet('DOORBELL_HOTSWAP_RETARGET'),
    entryTrampolines: isSet('AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES'),
    strict: isSet('HSA_HOTSWAP_STRICT_MODE'),
  };
}
