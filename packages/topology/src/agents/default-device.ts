/** Which GPU a program gets that does not choose. */
import type { GpuAgent } from './agent-types.js';

/** The choice, with its reasons. */
export interface DefaultDevice {
  /** Undefined when no discrete GPU is there: an integrated one is taken by explicit choice only. */
  readonly gpu: GpuAgent | undefined;
  /** Why this one, or why none. */
  readonly reason: string;
  /** The others, with the reason for each. */
  readonly passedOver: readonly { readonly gpu: GpuAgent; readonly reason: string }[];
}

/** The discrete GPU with the most VRAM; among equals the one with the lowest node id. */
export function chooseDefaultDevice(gpus: readonly GpuAgent[]): DefaultDevice {
  const ranked = gpus
    .filter(({ integrated }) => !integrated)
    .sort((a, b) => (a.vramBytes === b.vramBytes ? a.nodeId - b.nodeId : a.vramBytes < b.vramBytes ? 1 : -1));
  const [chosen] = ranked;
  const passedOver = gpus
    .filter((gpu) => gpu !== chosen)
    .map((gpu) => ({ gpu, reason: chosen === undefined || gpu.integrated ? INTEGRATED : reasonAgainst(gpu, chosen) }));
  if (chosen === undefined) {
    const reason =
      gpus.length === 0 ? 'there is no GPU agent' : `there is no discrete GPU; ${gpus.map(describe).join(', ')}: ${INTEGRATED}`;
    return { gpu: undefined, reason, passedOver };
  }
  const among = ranked.length === 1 ? 'the only discrete GPU' : `the discrete GPU with the most VRAM of ${ranked.length}`;
  return { gpu: chosen, reason: `${describe(chosen)} is ${among}`, passedOver };
}

const INTEGRATED = 'integrated; used by explicit choice only';

function reasonAgainst(gpu: GpuAgent, chosen: GpuAgent): string {
  return gpu.vramBytes === chosen.vramBytes
    ? `as much VRAM as node ${chosen.nodeId}, but a higher node id`
    : `less VRAM (${gpu.vramBytes} bytes) than node ${chosen.nodeId} (${chosen.vramBytes} bytes)`;
}

function describe(gpu: GpuAgent): string {
  return `${gpu.name} (node ${gpu.nodeId}, ${gpu.pciAddress})`;
}
