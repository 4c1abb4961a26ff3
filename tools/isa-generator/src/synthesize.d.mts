/** The parts of a description that the tests look at. */
export interface IsaDescription {
  readonly cpus: readonly string[];
  readonly tables: readonly (readonly [number, string])[];
  readonly cpusets: readonly (readonly string[])[];
  readonly layouts: readonly Readonly<Record<string, readonly (readonly [number, number, number])[]>>[];
  readonly opsets: readonly (readonly Readonly<Record<string, unknown>>[])[];
  readonly impl: readonly (readonly [readonly string[], readonly string[]])[];
  readonly flagsets: readonly (readonly string[])[];
  readonly entries: readonly IsaEntry[];
  readonly vopd?: { readonly VOPD?: { readonly X: readonly unknown[]; readonly Y: readonly unknown[] } };
}

export interface IsaEntry {
  readonly m: string;
  readonly f: string;
  readonly x?: string;
  readonly op: number;
  readonly sz: number;
  readonly mask: string;
  readonly val: string;
  readonly l: number;
  readonly o: number;
  readonly i: number;
  readonly fl: number;
  readonly cpu?: number;
  readonly w?: number;
  readonly t16?: 'real' | 'fake';
  readonly d: number;
  readonly req?: readonly (readonly [number, number, readonly number[]])[];
  readonly nsa?: number;
  readonly mimg?: Readonly<Record<string, number>>;
  readonly llvm: string;
}

export function seededRandom(seed: number): () => number;
export function synthesize(isa: IsaDescription, index: number, random: () => number): Uint8Array;
export function synthesizePair(
  isa: IsaDescription,
  format: 'VOPD' | 'VOPD3',
  x: number,
  y: number,
  random: () => number,
): Uint8Array;
