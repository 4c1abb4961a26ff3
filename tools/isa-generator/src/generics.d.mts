import type { IsaDescription } from './synthesize.mjs';

export function addGenerics(isa: IsaDescription): IsaDescription;
