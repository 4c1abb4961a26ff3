import type { IsaDescription } from './src/synthesize.mjs';

export const GENERATIONS: readonly string[];
export function readData(name: string): IsaDescription;
export function generateModule(generation: string): string;
