import Table from 'cli-table3';

/** `1.5 GiB`, `64 KiB`, `17 B`: exact where it is a whole number of the unit. */
export function formatBytes(sizeBytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = sizeBytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = Number.isInteger(value) ? 0 : value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`;
}

/** `12.3 µs`, `4.56 ms`, `1.20 s`. */
export function formatDuration(durationNs: number): string {
  if (durationNs < 1e6) return `${(durationNs / 1e3).toFixed(1)} µs`;
  return durationNs < 1e9 ? `${(durationNs / 1e6).toFixed(2)} ms` : `${(durationNs / 1e9).toFixed(2)} s`;
}

/** `1 kernel`, `2 kernels`. */
export function count(size: number, noun: string, plural: string = `${noun}s`): string {
  return `${size} ${size === 1 ? noun : plural}`;
}

/** Columns without borders, each line indented. `head` may be empty. */
export function formatTable(
  rows: readonly (readonly string[])[],
  { head = [], indent = 2 }: { readonly head?: readonly string[]; readonly indent?: number } = {},
): string {
  if (rows.length === 0) return '';
  const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '' };
  const table = new Table({
    head: [...head],
    chars: {
      ...none,
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) table.push([...row]);
  return table
    .toString()
    .split('\n')
    .map((line) => `${' '.repeat(indent)}${line.trimEnd()}\n`)
    .join('');
}
