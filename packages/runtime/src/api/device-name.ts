import type { GpuAgent } from '@doorbell/topology';
import type { Backend } from './types.js';

/** What a GPU is called to people: its product name, and whether it is emulated. */
export function deviceName(gpu: GpuAgent, backend: Exclude<Backend, 'auto'>): string {
  const name = gpu.marketingName || gpu.name;
  return backend === 'emulated' ? `${name} (emulated)` : name;
}
