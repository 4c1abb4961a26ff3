/** The table under the drawing: the weight of the way from each node to each. */
import type { AgentReport } from '../info-report.js';
import { linkColor, linksByNodes, nodesKey } from './links.js';
import { element, text } from './shapes.js';

const CELL_WIDTH = 52;
const CELL_HEIGHT = 24;
const HEAD_WIDTH = 76;

/** The table, and where it ends. */
export function linkTable(
  agents: readonly AgentReport[],
  { x, y }: { readonly x: number; readonly y: number },
): { readonly svg: string; readonly right: number; readonly bottom: number } {
  const nodes = [...new Set(agents.map(({ nodeId }) => nodeId))].sort((a, b) => a - b);
  const links = linksByNodes(agents);
  const left = x + HEAD_WIDTH;
  const parts = [
    text('Weight of the way, from row to column', { x, y: y - 26, size: 12, bold: true }),
    ...nodes.map((node, column) =>
      text(`node ${node}`, { x: left + (column + 0.5) * CELL_WIDTH, y: y - 6, size: 11, anchor: 'middle' }),
    ),
  ];
  for (const [row, from] of nodes.entries()) {
    const top = y + row * CELL_HEIGHT;
    parts.push(text(`node ${from}`, { x, y: top + 16, size: 11 }));
    for (const [column, to] of nodes.entries()) {
      const link = links.get(nodesKey(from, to))?.link;
      const content = from === to ? '0' : link === undefined ? '–' : `${link.weight}`;
      const place = { x: left + column * CELL_WIDTH, y: top };
      parts.push(
        element('rect', {
          ...place,
          width: CELL_WIDTH,
          height: CELL_HEIGHT,
          fill: link === undefined ? '#f4f4f4' : link.isDirect ? '#ffffff' : '#fafafa',
          stroke: '#cccccc',
        }),
        text(content, {
          x: place.x + CELL_WIDTH / 2,
          y: top + 16,
          size: 11,
          anchor: 'middle',
          bold: link?.isDirect === true,
          color: link === undefined ? '#999999' : linkColor(link.type),
        }),
      );
    }
  }
  return { svg: parts.join('\n'), right: left + nodes.length * CELL_WIDTH, bottom: y + nodes.length * CELL_HEIGHT };
}
