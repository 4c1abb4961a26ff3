import type { IsaDescription } from './synthesize.mjs';

export const MAX_BYTES: number;
export function randomBytes(isa: IsaDescription, seed: number): (bytes: Uint8Array) => void;
