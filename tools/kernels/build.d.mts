export interface CodeObject {
  /** Path from the root. */
  readonly output: string;
  readonly parts: readonly { readonly target: string; readonly args: readonly string[] }[];
}
export function compilerVersion(): string | undefined;
export function isRecordedCompiler(): boolean;
export function codeObjects(): CodeObject[];
export function compile(codeObject: CodeObject, outputPath: string): void;
export function differences(): string[];
