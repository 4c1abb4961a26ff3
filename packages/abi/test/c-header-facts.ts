import { readFileSync } from 'node:fs';
import { runC } from './c-compiler.js';

const PRELUDE = '#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include <stdint.h>\n';

/** What a C program prints that has these includes and runs these statements, as lines. */
export function linesOf(includes: string, statements: string): string[] {
  return runC(`${PRELUDE}${includes}\nint main(void) {\n${statements}\nreturn 0; }\n`).trim().split('\n');
}

/** A header's text without its comments. */
export function textOf(header: string): string {
  return readFileSync(header, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

/** Names that the header knows, as words in its text (comments aside). */
export function namesIn(header: string): (name: string) => boolean {
  const words = new Set(textOf(header).match(/\w+/g));
  return (name) => words.has(name);
}

/** The entries whose names pass. */
export function pick<T>(record: Readonly<Record<string, T>>, keep: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => keep(name)));
}

/** Prints constants as 64-bit numbers; ours are compared with their lowest 32 bits where they are 32-bit in C. */
export function constantReport(constants: Readonly<Record<string, number | bigint>>): { source: string; expected: string[] } {
  const names = Object.keys(constants);
  return {
    source: names
      .map((name) => `printf("${name} %llx\\n", (unsigned long long)(${name}) & (sizeof(${name}) == 4 ? 0xffffffffull : ~0ull));`)
      .join('\n'),
    expected: names.map(
      (name) => `${name} ${BigInt.asUintN(BigInt(constants[name]!) < 0n ? 32 : 64, BigInt(constants[name]!)).toString(16)}`,
    ),
  };
}
