/** Every generated file: content by path from the repository's root. */
export const generatedFiles: ReadonlyMap<string, string>;
