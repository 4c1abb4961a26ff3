/** Elements of an SVG drawing, as text. */

/** Width of a character of the drawing's font, in parts of its size; a little more than the average. */
const CHARACTER_WIDTH = 0.62;

/** One element without children. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escape(value)}"`,
  );
  return `<${name}${list.join('')}/>`;
}

/** How a line of text looks. */
export interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** One line of text. */
export function text(content: string, { x, y, size, bold = false, color = '#222222', anchor = 'start' }: TextStyle): string {
  const weight = bold ? ' font-weight="bold"' : '';
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${weight} fill="${color}" text-anchor="${anchor}">${escape(content)}</text>`;
}

/** A few characters in the middle of a line, on white. */
export function label(
  content: string,
  { x, y, color }: { readonly x: number; readonly y: number; readonly color: string },
): string {
  const size = 11;
  const width = content.length * size * CHARACTER_WIDTH + 8;
  return [
    element('rect', { x: x - width / 2, y: y - 9, width, height: 18, rx: 4, fill: '#ffffff', stroke: color, 'stroke-width': 1 }),
    text(content, { x, y: y + 4, size, color, anchor: 'middle' }),
  ].join('\n');
}

/** A rounded box with a title and lines; what does not fit is cut. */
export function box(
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  style: { readonly fill: string; readonly stroke: string; readonly title: string; readonly lines: readonly string[] },
): string {
  const inside = width - 20;
  const lines = style.lines.filter((line) => line !== '');
  return [
    element('rect', { x, y, width, height, rx: 8, fill: style.fill, stroke: style.stroke, 'stroke-width': 1.5 }),
    text(fit(style.title, inside, 13), { x: x + 10, y: y + 22, size: 13, bold: true, color: style.stroke }),
    ...lines.map((line, index) => text(fit(line, inside, 11), { x: x + 10, y: y + 42 + index * 18, size: 11 })),
  ].join('\n');
}

/** As much of the text as `width` takes. */
function fit(content: string, width: number, size: number): string {
  const most = Math.floor(width / (size * CHARACTER_WIDTH));
  return content.length <= most ? content : `${content.slice(0, Math.max(0, most - 1)).trimEnd()}…`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Text from drivers and sysfs can hold anything: what XML does not take is replaced. */
function escape(content: string): string {
  return content
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '\uFFFD')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
