import { readFileSync } from 'node:fs';

/** A difference from llvm-mc that is known: a pattern of llvm-mc's text, and why ours is right. */
interface KnownMiss {
  readonly generation: string;
  readonly llvm: string;
  readonly reason: string;
}

// Safe: the file is ours and has this shape.
const KNOWN = JSON.parse(readFileSync(new URL('../llvm-mc-misses.json', import.meta.url), 'utf8')) as readonly KnownMiss[];
const patterns = KNOWN.map(({ generation, llvm }) => ({ generation, pattern: new RegExp(llvm) }));

export function isKnownMiss(generation: string, llvm: string): boolean {
  return patterns.some((miss) => miss.generation === generation && miss.pattern.test(llvm));
}
