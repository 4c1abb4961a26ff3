export function compress(text: string): string;
