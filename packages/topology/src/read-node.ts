/** Reads one `nodes/<N>`: what can be used of it, and what is wrong with it. */
import type { SysfsSource } from '@doorbell/abi';
import type { RawLink } from './field-tables.js';
import { CACHE_FIELDS, LINK_FIELDS, MEMORY_BANK_FIELDS, NODE_FIELDS } from './field-tables.js';
import type { FieldTable, Outcome } from './properties-file.js';
import { decodeFields, malformed, parseLines, readLines, readNumber, readPage } from './properties-file.js';
import { readPerformanceBlocks } from './performance-blocks.js';
import type { RenderNodeProbe } from './render-node.js';
import { checkRenderNode } from './render-node.js';
import type { Cache, MemoryBank, NodeProperties, PerformanceBlock, RefusedNode, TopologyProblem } from './topology-types.js';

/** A node before its links lead to other nodes. */
export interface RawNode {
  readonly sysfsId: number;
  readonly gpuId: number;
  readonly name: string;
  readonly properties: NodeProperties;
  readonly memoryBanks: readonly MemoryBank[];
  readonly caches: readonly Cache[];
  readonly links: readonly (RawLink & { readonly kind: 'direct' | 'peer'; readonly path: string })[];
  readonly performanceBlocks: readonly PerformanceBlock[];
  readonly problems: readonly TopologyProblem[];
}

export interface ReadNodeOptions {
  readonly source: SysfsSource;
  readonly path: string;
  readonly sysfsId: number;
  readonly probeRenderNode: RenderNodeProbe;
}

/** More entries than any machine has in one folder: a bound against hostile trees. */
const MAX_ENTRIES = 16_384;
const MAX_GPU_ID = 0xffff;
const MAX_U32 = 0xffff_ffff;

/** The node, or its refusal. */
export function readNode(options: ReadNodeOptions): RawNode | RefusedNode {
  const { source, path, sysfsId } = options;
  const name = readPage(source, `${path}/name`);
  const trimmedName = name.ok ? name.value.trim() : '';
  const refuse = (problem: TopologyProblem): RefusedNode => ({ sysfsId, name: trimmedName, problems: [problem] });

  const gpuId = readNumber(source, `${path}/gpu_id`);
  if (!gpuId.ok) return refuse(gpuId.problem);
  if (gpuId.value > MAX_GPU_ID) return refuse(malformed(`${path}/gpu_id`, `gpu_id ${gpuId.value} does not fit 16 bits`).problem);
  const properties = readFields(source, `${path}/properties`, NODE_FIELDS);
  if (!properties.ok) return refuse(properties.problem);
  // libhsakmt topology.c: a partition count that is absent or 0 means 1.
  const node = { ...properties.value, numXcc: properties.value.numXcc || 1 };
  const gpuProblem = findGpuProblem(options, Number(gpuId.value), node);
  // On an APU the CPU part stays.
  if (gpuProblem !== undefined && node.cpuCoresCount === 0) return refuse(gpuProblem);

  const problems: TopologyProblem[] = [];
  if (!name.ok) problems.push(name.problem);
  if (gpuProblem !== undefined) problems.push(gpuProblem);
  const folder = <T>(kind: string, count: number, read: (file: string) => Outcome<T>): readonly T[] =>
    readFolder({ source, path: `${path}/${kind}`, count, read, problems });
  const link =
    (kind: 'direct' | 'peer') =>
    (file: string): Outcome<RawNode['links'][number]> => {
      const fields = readFields(source, file, LINK_FIELDS);
      return fields.ok ? { ok: true, value: { ...fields.value, kind, path: file } } : fields;
    };
  return {
    sysfsId,
    gpuId: gpuProblem === undefined ? Number(gpuId.value) : 0,
    name: trimmedName,
    properties: node,
    memoryBanks: folder('mem_banks', node.memBanksCount, (file) => readFields(source, file, MEMORY_BANK_FIELDS)),
    caches: folder('caches', node.cachesCount, cacheReader(source)),
    links: [...folder('io_links', node.ioLinksCount, link('direct')), ...folder('p2p_links', node.p2pLinksCount, link('peer'))],
    performanceBlocks: readPerformanceBlocks(source, `${path}/perf`, problems),
    problems,
  };
}

/** Why the GPU of a readable node cannot be used; undefined when it can, or when there is none. */
function findGpuProblem(
  { source, path, probeRenderNode }: ReadNodeOptions,
  gpuId: number,
  node: NodeProperties,
): TopologyProblem | undefined {
  const file = `${path}/properties`;
  const implausible = (reason: string, hint?: string): TopologyProblem => ({
    kind: 'implausible',
    path: file,
    reason,
    ...(hint === undefined ? {} : { hint }),
  });
  if (gpuId === 0) {
    if (node.simdCount === 0) return undefined;
    return implausible(`${node.simdCount} SIMDs but gpu_id 0: the kernel driver does not support this GPU`);
  }
  if (node.simdCount === 0) return implausible(`gpu_id ${gpuId} but no SIMDs`);
  if (node.gfxTargetVersion === 0) {
    return implausible(
      `device ${node.deviceId.toString(16)} has no gfx_target_version: the kernel driver is too old for this GPU, or does not support it`,
      'Use a kernel from 5.16 on, or the amdgpu driver that comes with ROCm.',
    );
  }
  return checkRenderNode(source, node.drmRenderMinor, { probe: probeRenderNode, file });
}

function readFields<T extends object>(source: SysfsSource, path: string, table: FieldTable<T>): Outcome<T> {
  const lines = readLines(source, path);
  return lines.ok ? decodeFields(path, lines.value, table) : lines;
}

/** The first line of a cache file: all that differs between the instances of a group. */
const PROCESSOR_LINE = 'processor_id_low ';
/** A u32 has as many at most. */
const MAX_DIGITS = 10;

/**
 * Reads cache files. The instances of a group differ in their first line alone, and there are hundreds, up to thousands on a machine:
 * what follows it is understood once.
 */
function cacheReader(source: SysfsSource): (path: string) => Outcome<Cache> {
  let known: { readonly tail: string; readonly cache: Cache } | undefined;
  return (path) => {
    const file = readPage(source, path);
    if (!file.ok) return file;
    const text = file.value;
    const end = text.indexOf('\n');
    const tail = text.slice(end);
    if (tail === known?.tail) {
      const id = parseProcessorLine(text, end);
      if (id >= 0) return { ok: true, value: withProcessor(known.cache, id) };
    }
    const parsed = parseCache(path, text);
    if (parsed.ok && end >= 0) known = { tail, cache: parsed.value };
    return parsed;
  };
}

/** The number in a line that ends at `end`; −1 where it is not the usual one. */
function parseProcessorLine(text: string, end: number): number {
  const digits = end - PROCESSOR_LINE.length;
  if (digits < 1 || digits > MAX_DIGITS || !text.startsWith(PROCESSOR_LINE)) return -1;
  let id = 0;
  for (let i = PROCESSOR_LINE.length; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    id = id * 10 + digit;
  }
  return id <= MAX_U32 ? id : -1;
}

// Written out: a spread costs more than all else of an instance.
function withProcessor(cache: Cache, processorIdLow: number): Cache {
  const { level, sizeKib, cacheLineSize, cacheLinesPerTag, association, latency, type, siblingMap } = cache;
  return { processorIdLow, level, sizeKib, cacheLineSize, cacheLinesPerTag, association, latency, type, siblingMap };
}

function parseCache(path: string, text: string): Outcome<Cache> {
  const lines = parseLines(path, text);
  if (!lines.ok) return lines;
  const fields = decodeFields(path, lines.value, CACHE_FIELDS);
  if (!fields.ok) return fields;
  const siblingMap = parseSiblingMap(lines.value.get('sibling_map') ?? '');
  return siblingMap === undefined
    ? malformed(path, `${path} has a sibling_map that is not a list of 0 and 1`)
    : { ok: true, value: { ...fields.value, siblingMap } };
}

/** `1,1,0,…`: digits at even places, commas at odd ones; older kernels end the list with a comma. */
function parseSiblingMap(text: string): Uint8Array | undefined {
  const map = new Uint8Array((text.length + 1) >> 1);
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (index % 2 === 1 ? char !== ',' : char !== '0' && char !== '1') return undefined;
    if (char === '1') map[index >> 1] = 1;
  }
  return map;
}

interface ReadFolderOptions<T> {
  readonly source: SysfsSource;
  readonly path: string;
  /** What the node's properties say. */
  readonly count: number;
  readonly read: (file: string) => Outcome<T>;
  /** Gets what is wrong. */
  readonly problems: TopologyProblem[];
}

/** All readable entries of a folder; the others become problems. */
function readFolder<T>({ source, path, count, read, problems }: ReadFolderOptions<T>): readonly T[] {
  const names = source.list(path);
  if (!names.ok) {
    if (count > 0 || names.errno !== 'ENOENT') {
      problems.push({ kind: 'unreadable', path, reason: `listing ${path} failed with ${names.errno}`, errno: names.errno });
    }
    return [];
  }
  const entries = names.value.filter((name) => /^\d{1,5}$/.test(name)).slice(0, MAX_ENTRIES);
  if (entries.length !== count) {
    problems.push({
      kind: 'inconsistent',
      path,
      reason: `the node's properties count ${count} entries, ${path} has ${entries.length}`,
    });
  }
  const values: T[] = [];
  for (const entry of entries) {
    const outcome = read(`${path}/${entry}/properties`);
    if (outcome.ok) values.push(outcome.value);
    else problems.push(outcome.problem);
  }
  return values;
}
