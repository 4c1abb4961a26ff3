export function packColumn(values: readonly number[]): string;
export function packWords(words: readonly string[]): string;
