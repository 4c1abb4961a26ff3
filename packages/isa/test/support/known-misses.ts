import { readFileSync } from 'node:fs';

/** A difference from llvm-mc that is known: patterns of llvm-mc's text and, where that is not enough, of ours; why ours is right. */
interface KnownMiss {
  readonly generation: string;
  readonly llvm: string;
  readonly ours?: string;
  readonly reason: string;
}

// Safe: the file is ours and has this shape.
const KNOWN = JSON.parse(readFileSync(new URL('../llvm-mc-misses.json', import.meta.url), 'utf8')) as readonly KnownMiss[];
const patterns = KNOWN.map(({ generation, llvm, ours = '' }) => ({
  generation,
  llvm: new RegExp(llvm),
  ours: new RegExp(ours),
}));

export function isKnownMiss(generation: string, llvm: string, ours: string): boolean {
  return patterns.some((miss) => miss.generation === generation && miss.llvm.test(llvm) && miss.ours.test(ours));
}
