/**
 * What AMD's HIP runtime (CLR, `rocclr/device/hotswap.hpp`) asks before it hands a code object for another ISA than the agent's to the
 * loader, where HotSwap may retarget it.
 */

import { HOTSWAP_TOOL_ID } from '../tool-id.js';

/** Processor of the code object, and of the agent. */
export type ForwardingPair = readonly [source: string, agent: string];

/**
 * The pairs that the HIP runtime forwards. It once had gfx950 and gfx942 as agents of gfx1250 code too: the foreign code was taken
 * ahead of native and generic code in the same file, and crashed.
 */
export const FORWARDED_PAIRS: readonly ForwardingPair[] = [['gfx1250', 'gfx1250']];

/** What decides about forwarding. */
export interface ForwardingQuestion {
  /** Ids of the tools that run: HotSwap is known by {@link HOTSWAP_TOOL_ID}, not by the name of a file. */
  readonly tools: readonly string[];
  /** ISA names. */
  readonly source: string;
  readonly agent: string;
  /** Default: {@link FORWARDED_PAIRS}. */
  readonly pairs?: readonly ForwardingPair[];
}

/** Whether a code object for `source` may be forwarded to an agent although it is not for its ISA. */
export function canForwardCodeObject({ tools, source, agent, pairs = FORWARDED_PAIRS }: ForwardingQuestion): boolean {
  return tools.includes(HOTSWAP_TOOL_ID) && pairs.some(([from, to]) => isNamed(source, from) && isNamed(agent, to));
}

/** The processor as a whole word: `--gfx1250` and then the end or a feature, so that gfx125 is not gfx1250. */
function isNamed(isaName: string, processor: string): boolean {
  const end = `--${processor}`;
  const at = isaName.indexOf(end);
  if (at < 0) return false;
  const next = isaName[at + end.length];
  return next === undefined || next === ':';
}
