/** The text of rocminfo as rows: where a value stands, what it is called, and the value. */

export interface Row {
  /** Which agent; 0: the system's own attributes. */
  readonly agent: number;
  /** `''`, `Pool 2` or `ISA 1`. */
  readonly part: string;
  /** `Workgroup Max Size per Dimension: x` for a line below another one. */
  readonly label: string;
  readonly value: string;
}

/** Lines that begin a list of lines of their own. */
const LISTS = new Set(['Cache Info', 'Workgroup Max Size per Dimension', 'Grid Max Size per Dimension']);

export function parseRocminfo(text: string): readonly Row[] {
  const rows: Row[] = [];
  let agent = 0;
  let part = '';
  let list = '';
  for (const line of text.split('\n')) {
    const title = /^Agent (\d+)\s*$/.exec(line);
    if (title !== null) {
      agent = Number(title[1]);
      part = list = '';
      continue;
    }
    const piece = /^\s+((?:Pool|ISA) \d+)\s*$/.exec(line);
    if (piece !== null) {
      part = piece[1]!;
      list = '';
      continue;
    }
    const pair = /^\s*([^:]+):\s*(.*?)\s*$/.exec(line);
    const item = /^\s+([xyz])\s+(.*?)\s*$/.exec(line);
    if (item !== null) rows.push({ agent, part, label: `${list}: ${item[1]!}`, value: item[2]! });
    if (pair === null || item !== null) continue;
    const [, label = '', value = ''] = pair;
    if (value === '') {
      list = LISTS.has(label) ? label : '';
      continue;
    }
    const isCache = list === 'Cache Info' && /^L\d$/.test(label);
    rows.push({ agent, part, label: isCache ? `${list}: ${label}` : label, value });
    if (!isCache) list = '';
  }
  return rows;
}
