import type { PropertyLines } from './topology-data.js';

/** The text of a `properties` file. */
export function formatLines(lines: PropertyLines): string {
  let text = '';
  for (const key in lines) text += `${key} ${lines[key] ?? 0}\n`;
  return text;
}
