import type { IsaDescription } from './synthesize.mjs';

export function correct(isa: IsaDescription): IsaDescription;
