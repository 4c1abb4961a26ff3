/**
 * `doorbell info --svg`: CPUs above, the GPUs of each below it; direct links as lines, those between GPUs as arcs; a table of all
 * ways beneath, and what the colours mean.
 */
import type { AgentReport, InfoReport } from './info-report.js';
import { linkTable } from './svg/link-table.js';
import { linkColor, linkName, pairsOf } from './svg/links.js';
import type { LinkPair } from './svg/links.js';
import { box, element, label, text } from './svg/shapes.js';
import { count, formatBytes } from './text.js';

const MARGIN = 32;
const BOX_WIDTH = 194;
const BOX_HEIGHT = 92;
const GAP = 24;
const PITCH = BOX_WIDTH + GAP;
const TITLE_HEIGHT = 56;
/** Between CPUs and GPUs: room for lines with labels. */
const ROW_GAP = 96;
/** Depth of an arc between neighbours, and how much deeper each further one is. */
const ARC_DEPTH = 34;
const ARC_STEP = 27;
/** Between the drawing and the first row of the table, which has a title and names of columns above it. */
const TABLE_GAP = 72;
const LEGEND_LINE = 20;

interface Placed {
  readonly agent: AgentReport;
  readonly x: number;
  readonly y: number;
}

/** A whole SVG document. */
export function drawMachine(report: InfoReport): string {
  const cpus = report.agents.filter(({ kind }) => kind === 'cpu');
  const gpus = report.agents.filter(({ kind }) => kind === 'gpu');
  const pairs = pairsOf(report.agents).filter(({ isDirect }) => isDirect);
  const placedGpus = placeGpus(cpus, gpus);
  const placedCpus = placeCpus(cpus, placedGpus);
  // NPUs stand right of the CPUs, without links.
  const npuX = Math.max(MARGIN - PITCH, ...placedCpus.map(({ x }) => x)) + PITCH;
  const rowRight = Math.max(...placedGpus.map(({ x }) => x + PITCH), npuX + report.npus.length * PITCH) - GAP;
  const arcs = pairs.flatMap((pair) => arcOf(pair, placedGpus) ?? []);
  const gpuBottom = (gpus.length === 0 ? rowY(0) : rowY(1)) + BOX_HEIGHT;
  const arcBottom = gpuBottom + Math.max(0, ...arcs.map(({ depth }) => depth)) + (arcs.length === 0 ? 0 : 16);
  const table = linkTable(report.agents, { x: MARGIN, y: arcBottom + TABLE_GAP });
  const legend = legendOf(report, { x: MARGIN, y: table.bottom + 40 });
  const width = Math.max(rowRight + MARGIN, table.right + MARGIN, 640);
  const height = legend.bottom + MARGIN - 8;
  const parts = [
    element('rect', { width, height, fill: '#ffffff' }),
    text(titleOf(report.backend, cpus, gpus), { x: MARGIN, y: MARGIN + 6, size: 17, bold: true }),
    // Lines first: boxes and labels lie on them.
    ...pairs.map((pair) => lineOf(pair, [...placedCpus, ...placedGpus])),
    ...arcs.map(({ path }) => path),
    ...[...placedCpus, ...placedGpus].map(agentBox),
    ...report.npus.map((npu, index) =>
      box(
        { x: npuX + index * PITCH, y: rowY(0), width: BOX_WIDTH, height: BOX_HEIGHT },
        {
          fill: '#f3e8fd',
          stroke: '#8e44ad',
          title: `NPU ${npu.name}`,
          lines: [npu.marketingName, `${npu.npu.columns} × ${npu.npu.coreRows} tiles`, npu.npu.pciAddress],
        },
      ),
    ),
    ...pairs.map((pair) => lineLabelOf(pair, [...placedCpus, ...placedGpus])),
    ...arcs.map(({ tag }) => tag),
    table.svg,
    legend.svg,
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="DejaVu Sans, Verdana, sans-serif">`,
    ...parts.filter((part) => part !== ''),
    '</svg>',
    '',
  ].join('\n');
}

/** `emulated: 2 CPUs, 8 GPUs (8 × gfx942)`. */
function titleOf(backend: string, cpus: readonly AgentReport[], gpus: readonly AgentReport[]): string {
  const names = [...new Set(gpus.map(({ name }) => name))];
  const kinds = names.map((name) => `${gpus.filter((gpu) => gpu.name === name).length} × ${name}`);
  const which = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return `${backend}: ${count(cpus.length, 'CPU')}, ${count(gpus.length, 'GPU')}${which}`;
}

function rowY(row: number): number {
  return MARGIN + TITLE_HEIGHT - 16 + row * (BOX_HEIGHT + ROW_GAP);
}

/** GPUs in one row, those of one CPU beside each other. */
function placeGpus(cpus: readonly AgentReport[], gpus: readonly AgentReport[]): readonly Placed[] {
  const place = (gpu: AgentReport): number => {
    const index = cpus.findIndex(({ nodeId }) => nodeId === gpu.gpu?.['nearestCpuNodeId']);
    return index < 0 ? cpus.length : index;
  };
  return gpus
    .map((agent, order) => ({ agent, order }))
    .sort((a, b) => place(a.agent) - place(b.agent) || a.order - b.order)
    .map(({ agent }, column) => ({ agent, x: MARGIN + column * PITCH, y: rowY(1) }));
}

/** Each CPU above the middle of its GPUs, and right of the one before. */
function placeCpus(cpus: readonly AgentReport[], gpus: readonly Placed[]): readonly Placed[] {
  let free = MARGIN;
  return cpus.map((agent) => {
    const own = gpus.filter((gpu) => gpu.agent.gpu?.['nearestCpuNodeId'] === agent.nodeId);
    const [first, last] = [own[0], own.at(-1)];
    const middle = first === undefined || last === undefined ? free : (first.x + last.x) / 2;
    const x = Math.max(free, middle);
    free = x + PITCH;
    return { agent, x, y: rowY(0) };
  });
}

function agentBox({ agent, x, y }: Placed): string {
  const isGpu = agent.kind === 'gpu';
  const bytes = Math.max(0, ...agent.pools.filter(({ kind }) => kind !== 'group').map(({ sizeBytes }) => sizeBytes));
  const facts = isGpu
    ? [`${agent.gpu?.['computeUnits'] ?? 0} CUs, ${formatBytes(bytes)}`, String(agent.gpu?.['pciAddress'] ?? '')]
    : [`${count(agent.cores ?? 0, 'core')}, ${formatBytes(bytes)}`, ''];
  return box(
    { x, y, width: BOX_WIDTH, height: BOX_HEIGHT },
    {
      fill: isGpu ? '#fdecea' : '#e8f1fb',
      stroke: isGpu ? '#c0392b' : '#2c6fbb',
      title: `${isGpu ? `GPU ${agent.name}` : 'CPU'} · node ${agent.nodeId}`,
      lines: [agent.marketingName, ...facts],
    },
  );
}

interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** The line of a link that has a CPU at one end; undefined for others. */
function lineEnds(pair: LinkPair, placed: readonly Placed[]): Line | undefined {
  const [a, b] = [pair.from, pair.to].map((node) => placed.find(({ agent }) => agent.nodeId === node));
  if (a === undefined || b === undefined) return undefined;
  if (a.agent.kind === 'cpu' && b.agent.kind === 'cpu') {
    const [left, right] = a.x < b.x ? [a, b] : [b, a];
    // Neighbours are joined side to side; others by a line above would cross boxes: the table has them.
    const between = placed.some(({ agent, x }) => agent.kind === 'cpu' && x > left.x && x < right.x);
    const y = left.y + BOX_HEIGHT / 2;
    return between ? undefined : { x1: left.x + BOX_WIDTH, y1: y, x2: right.x, y2: y };
  }
  if (a.agent.kind === b.agent.kind) return undefined;
  const [cpu, gpu] = a.agent.kind === 'cpu' ? [a, b] : [b, a];
  // The ends on the CPU are spread, so that lines do not meet in one point.
  const gpus = placed.filter(({ agent }) => agent.kind === 'gpu' && agent.gpu?.['nearestCpuNodeId'] === cpu.agent.nodeId);
  const share = (gpus.indexOf(gpu) + 1) / (gpus.length + 1);
  return { x1: cpu.x + BOX_WIDTH * share, y1: cpu.y + BOX_HEIGHT, x2: gpu.x + BOX_WIDTH / 2, y2: gpu.y };
}

function lineOf(pair: LinkPair, placed: readonly Placed[]): string {
  const line = lineEnds(pair, placed);
  return line === undefined ? '' : element('line', { ...line, stroke: linkColor(pair.type), 'stroke-width': 2 });
}

function lineLabelOf(pair: LinkPair, placed: readonly Placed[]): string {
  const line = lineEnds(pair, placed);
  if (line === undefined) return '';
  // Nearer to the GPU, where the lines are far from each other.
  const at = line.y1 === line.y2 ? 0.5 : 0.72;
  const place = { x: line.x1 + (line.x2 - line.x1) * at, y: line.y1 + (line.y2 - line.y1) * at };
  return label(pair.weights, { ...place, color: linkColor(pair.type) });
}

/** An arc below the row for a direct link between GPUs: the further they are apart, the deeper. */
function arcOf(
  pair: LinkPair,
  gpus: readonly Placed[],
): { readonly path: string; readonly tag: string; readonly depth: number } | undefined {
  const ends = [pair.from, pair.to].map((node) => gpus.findIndex(({ agent }) => agent.nodeId === node)).sort((a, b) => a - b);
  const [left, right] = [gpus[ends[0] ?? -1], gpus[ends[1] ?? -1]];
  if (left === undefined || right === undefined) return undefined;
  const distance = (ends[1] ?? 0) - (ends[0] ?? 0);
  const depth = ARC_DEPTH + (distance - 1) * ARC_STEP;
  const y = left.y + BOX_HEIGHT;
  // Ends are spread along the edge: long arcs outside, so that nested ones do not cross at the box.
  const spread = (BOX_WIDTH / 2 - 12) * (1 - distance / (gpus.length + 1));
  const x1 = left.x + BOX_WIDTH / 2 + spread;
  const x2 = right.x + BOX_WIDTH / 2 - spread;
  const color = linkColor(pair.type);
  // A cubic curve reaches three quarters of the way to its control points.
  const control = y + (depth * 4) / 3;
  const path = element('path', {
    d: `M ${x1} ${y} C ${x1} ${control}, ${x2} ${control}, ${x2} ${y}`,
    fill: 'none',
    stroke: color,
    'stroke-width': 1.5,
  });
  return { path, tag: label(pair.weights, { x: (x1 + x2) / 2, y: y + depth, color }), depth };
}

/** What the colours and numbers mean: one line for each kind of way. */
function legendOf(
  { agents }: InfoReport,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly svg: string; readonly bottom: number } {
  const kinds = new Map<string, { readonly pair: LinkPair; count: number }>();
  for (const pair of pairsOf(agents)) {
    const key = `${pair.type} ${String(pair.isDirect)} ${pair.weights} ${pair.bandwidthMbps}`;
    const kind = kinds.get(key) ?? { pair, count: 0 };
    kind.count += 1;
    kinds.set(key, kind);
  }
  const lines = [...kinds.values()].map(({ pair, count: number }, index) => {
    const at = y + index * LEGEND_LINE;
    const facts = [
      `${linkName(pair.type)}, weight ${pair.weights}`,
      pair.isDirect ? count(pair.hops, 'hop') : 'over other nodes, in the table alone',
      ...(pair.bandwidthMbps > 0 ? [`up to ${pair.bandwidthMbps / 1000} GB/s`] : []),
      count(number, 'pair'),
    ];
    return [
      element('line', {
        x1: x,
        y1: at - 4,
        x2: x + 36,
        y2: at - 4,
        stroke: linkColor(pair.type),
        'stroke-width': 3,
        ...(pair.isDirect ? {} : { 'stroke-dasharray': '5 4' }),
      }),
      text(facts.join(', '), { x: x + 48, y: at, size: 12 }),
    ].join('\n');
  });
  return { svg: lines.join('\n'), bottom: y + Math.max(0, lines.length - 1) * LEGEND_LINE };
}
