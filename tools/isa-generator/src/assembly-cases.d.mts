export interface AssemblyCase {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly text: string;
  /** What llvm-mc makes of the text. */
  readonly hex: string;
}

export function assemblyCases(
  isa: unknown,
  options: { readonly perEntry: number; readonly step?: number; readonly immediateStep: number; readonly seed: number },
): AssemblyCase[];
