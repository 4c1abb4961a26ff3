/** A random program, compiled for a GPU, with what the host's code gives. */
export interface Differential {
  readonly codeObject: Uint8Array;
  /** WORDS_IN words a case. */
  readonly inputs: Uint32Array;
  /** For each function, WORDS_OUT words a case. */
  readonly expected: Uint32Array;
}
/** What the host's code gives. */
export type HostResults = Omit<Differential, 'codeObject'>;
export interface ProgramOptions {
  readonly seed: number;
  readonly functions: number;
  /** Default: `large`. */
  readonly size?: 'tiny' | 'small' | 'large';
}
export const WORDS_IN: number;
export const WORDS_OUT: number;
export const GROUP: number;
export const TARGETS: readonly string[];
export const CASES: number;
export const RECORDED: readonly {
  readonly seed: number;
  readonly level: string;
  readonly size: 'tiny' | 'small';
  readonly functions: number;
}[];
export function makeHostResults(options: ProgramOptions & { readonly cases: number }): Promise<HostResults>;
/** @param options with `target` (`gfx1100`, …) and `level` (`-O1`, …). */
export function makeCodeObject(
  options: ProgramOptions & { readonly target: string; readonly level: string },
): Promise<Uint8Array>;
export function readFixture(seed: number, target: string): Differential;
export function makeInputs(seed: number, cases: number): Uint32Array;
export function writeProgram(seed: number, functions: number, size?: 'tiny' | 'small' | 'large'): string;
