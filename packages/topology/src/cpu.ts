/**
 * Who the CPUs are and which caches they have: `/proc/cpuinfo` and `/sys/devices/system`
 * (Documentation/ABI/testing/sysfs-devices-system-cpu). Containers and some laptops have no such folders: then there are none.
 */
import type { SysfsSource } from '@doorbell/abi';
import type { Cache } from './topology-types.js';

/** One logical CPU of `/proc/cpuinfo`. */
export interface ProcessorIdentity {
  /** N of `/sys/devices/system/cpu/cpu<N>`. */
  readonly processor: number;
  readonly apicId: number;
  readonly vendor: string;
  readonly modelName: string;
}

/** hsakmttypes.h HsaCacheType. */
const CACHE_DATA = 1;
const CACHE_INSTRUCTION = 2;
const CACHE_CPU = 4;
const TYPE_BITS: Readonly<Record<string, number>> = {
  Data: CACHE_DATA,
  Instruction: CACHE_INSTRUCTION,
  Unified: CACHE_DATA | CACHE_INSTRUCTION,
};
/** Bounds against hostile trees. */
const MAX_CPUS = 8192;
const MAX_CPUINFO_CHARS = 1 << 24;
const KIB_OF_SUFFIX: Readonly<Record<string, number>> = { K: 1, M: 1024, G: 1024 * 1024 };

/** The processors that `/proc/cpuinfo` lists; none where it cannot be read. */
export function readCpuIdentities(source: SysfsSource): readonly ProcessorIdentity[] {
  const text = source.readText('/proc/cpuinfo');
  if (!text.ok) return [];
  const blocks = text.value.slice(0, MAX_CPUINFO_CHARS).split('\n\n');
  return blocks.slice(0, MAX_CPUS).flatMap((block): readonly ProcessorIdentity[] => {
    const fields = new Map<string, string>();
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      if (colon > 0) fields.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
    }
    const processor = parseCount(fields.get('processor'));
    if (processor === undefined) return [];
    return [
      {
        processor,
        apicId: parseCount(fields.get('apicid')) ?? processor,
        vendor: fields.get('vendor_id') ?? '',
        modelName: fields.get('model name') ?? '',
      },
    ];
  });
}

/** The caches of the CPUs of a NUMA node, each once: under the first CPU that shares it. */
export function readCpuCaches(
  source: SysfsSource,
  { numaNode, identities }: { readonly numaNode: number; readonly identities: readonly ProcessorIdentity[] },
): readonly Cache[] {
  const apicIds = new Map(identities.map(({ processor, apicId }) => [processor, apicId]));
  const { folder, cpus } = listCpus(source, numaNode);
  return cpus.flatMap((cpu) => {
    const path = `${folder}/cpu${cpu}/cache`;
    const indexes = source.list(path);
    if (!indexes.ok) return [];
    const names = indexes.value.filter((name) => /^index\d{1,2}$/.test(name));
    return names.flatMap((name): readonly Cache[] => {
      const cache = readCpuCache(source, `${path}/${name}`, { cpu, apicId: apicIds.get(cpu) ?? cpu });
      return cache === undefined ? [] : [cache];
    });
  });
}

function listCpus(source: SysfsSource, numaNode: number): { readonly folder: string; readonly cpus: readonly number[] } {
  const folders = [`/sys/devices/system/node/node${numaNode}`, ...(numaNode === 0 ? ['/sys/devices/system/cpu'] : [])];
  for (const folder of folders) {
    const names = source.list(folder);
    if (!names.ok) continue;
    const cpus = names.value.flatMap((name) => (/^cpu\d{1,5}$/.test(name) ? [Number(name.slice('cpu'.length))] : []));
    if (cpus.length > 0) return { folder, cpus: cpus.sort((a, b) => a - b).slice(0, MAX_CPUS) };
  }
  return { folder: '', cpus: [] };
}

/** The cache, or undefined when another CPU already showed it or the folder makes no sense. */
function readCpuCache(
  source: SysfsSource,
  path: string,
  { cpu, apicId }: { readonly cpu: number; readonly apicId: number },
): Cache | undefined {
  const text = (name: string): string => {
    const read = source.readText(`${path}/${name}`);
    return read.ok ? read.value.trim() : '';
  };
  const firstSharer = /^\d+/.exec(text('shared_cpu_list'))?.[0];
  if (firstSharer !== undefined && Number(firstSharer) !== cpu) return undefined;
  const level = parseCount(text('level'));
  const typeBits = TYPE_BITS[text('type')];
  const sizeKib = parseSizeKib(text('size'));
  if (level === undefined || typeBits === undefined || sizeKib === undefined) return undefined;
  return {
    processorIdLow: apicId,
    level,
    sizeKib,
    cacheLineSize: parseCount(text('coherency_line_size')) ?? 0,
    cacheLinesPerTag: parseCount(text('physical_line_partition')) ?? 0,
    association: parseCount(text('ways_of_associativity')) ?? 0,
    latency: 0,
    type: typeBits | CACHE_CPU,
    siblingMap: parseCpuMap(text('shared_cpu_map'), cpu),
  };
}

/** `ffffffff,0000000f` (highest first) as one byte a CPU, from CPU `first` on. */
function parseCpuMap(text: string, first: number): Uint8Array {
  const digits = text.replaceAll(',', '').slice(-MAX_CPUS / 4);
  if (!/^[0-9a-f]+$/.test(digits)) return new Uint8Array();
  const bits: number[] = [];
  for (let place = digits.length - 1; place >= 0; place -= 1) {
    const nibble = Number.parseInt(digits[place] ?? '0', 16);
    for (let bit = 0; bit < 4; bit += 1) bits.push((nibble >> bit) & 1);
  }
  const last = bits.lastIndexOf(1);
  return Uint8Array.from(bits.slice(first, last + 1));
}

function parseSizeKib(text: string): number | undefined {
  const match = /^(\d{1,9})([KMG])$/.exec(text);
  const factor = KIB_OF_SUFFIX[match?.[2] ?? ''];
  return match?.[1] === undefined || factor === undefined ? undefined : Number(match[1]) * factor;
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
