/** The agent that a code object is to be loaded for. */
export interface HotSwapAgent {
  /** Its first ISA name: `amdgcn-amd-amdhsa--gfx1250`. */
  readonly isaName: string;
  /** HSA_AMD_AGENT_INFO_ASIC_REVISION; absent where it is not known. */
  readonly asicRevision?: number;
}

/**
 * The processor in an ISA name, whatever stands around it: the gate of a work-around must not miss silicon for a feature that is
 * not known of it. Empty for a name without one.
 */
export function processorOf(isaName: string): string {
  return /gfx[0-9a-z]+(?:-[0-9a-z]+)*/.exec(isaName)?.[0] ?? '';
}
