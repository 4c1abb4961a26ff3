/** A random program, compiled for a GPU, with what the host's code gives. */
export interface Differential {
  readonly codeObject: Uint8Array;
  /** WORDS_IN words a case. */
  readonly inputs: Uint32Array;
  /** For each function, WORDS_OUT words a case. */
  readonly expected: Uint32Array;
}
export interface DifferentialOptions {
  readonly seed: number;
  readonly functions: number;
  readonly cases: number;
  /** `gfx1100`, … */
  readonly target: string;
  /** `-O1`, … */
  readonly level: string;
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
export function makeDifferential(options: DifferentialOptions): Differential;
export function readFixture(seed: number, target: string): Differential;
export function makeInputs(seed: number, cases: number): Uint32Array;
export function writeProgram(seed: number, functions: number, size?: 'tiny' | 'small' | 'large'): string;
