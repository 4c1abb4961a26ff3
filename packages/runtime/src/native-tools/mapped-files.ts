import { readFileSync } from 'node:fs';

/** The files that are mapped into this process, from /proc/self/maps (proc(5)). */
export class MappedFiles {
  readonly #ranges: readonly { readonly start: bigint; readonly end: bigint; readonly path: string }[];

  constructor(text: string = readFileSync('/proc/self/maps', 'utf8')) {
    this.#ranges = text.split('\n').flatMap((line) => {
      const match = /^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ \d+ +(\/.*)$/.exec(line);
      const [, start, end, path] = match ?? [];
      return path === undefined ? [] : [{ start: BigInt(`0x${start}`), end: BigInt(`0x${end}`), path }];
    });
  }

  /** The file that an address belongs to. */
  pathAt(address: bigint): string | undefined {
    return this.#ranges.find(({ start, end }) => start <= address && address < end)?.path;
  }

  /** Shared libraries, each once, in the order of their addresses. */
  libraries(): readonly string[] {
    return [...new Set(this.#ranges.map(({ path }) => path))].filter((path) => /\.so(\.[\d.]+)?$/.test(path));
  }
}
