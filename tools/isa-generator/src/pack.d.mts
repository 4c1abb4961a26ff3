import type { IsaDescription } from './synthesize.mjs';

export function packTable(isa: IsaDescription): Record<string, string | number>;
