/** What `doorbell info --json` says, in rocminfo's words (rocminfo.cc and ROCr's hsa_agent_get_info of 5.2.3 say where each comes from). */

/** The part of the JSON document that is compared. */
export interface Info {
  readonly system: {
    readonly hsaVersion: string;
    readonly timestampHz: number;
    readonly machineModel: string;
    readonly endianness: string;
  };
  readonly agents: readonly Agent[];
}

interface Agent {
  readonly kind: 'cpu' | 'gpu';
  readonly name: string;
  readonly marketingName: string;
  readonly vendorName: string;
  readonly uuid: string;
  readonly nodeId: number;
  readonly profile: string;
  readonly maxClockMhz: number;
  readonly cacheLineBytes: number;
  readonly cores?: number;
  readonly isaNames: readonly string[];
  readonly gpu?: {
    readonly pciAddress: string;
    readonly chipId: string;
    readonly computeUnits: number;
    readonly simdsPerCu: number;
    readonly shaderEngines: number;
    readonly arraysPerEngine: number;
    readonly wavefrontSize: number;
    readonly maxWavesPerCu: number;
    readonly watchPoints: number;
  };
  readonly dispatch?: {
    readonly maxQueues: number;
    readonly minQueuePackets: number;
    readonly maxQueuePackets: number;
    readonly queueType: string;
    readonly maxWorkgroupSize: number;
    readonly maxGridSize: number;
    readonly maxFbarriers: number;
    readonly floatRounding: string;
    readonly fastF16: boolean;
  };
  readonly pools: readonly Pool[];
  readonly caches: readonly { readonly level: number; readonly sizeBytes: number; readonly count: number }[];
}

interface Pool {
  readonly kind: string;
  readonly coherence: string;
  readonly kernarg: boolean;
  readonly sizeBytes: number;
  readonly granuleBytes: number;
  readonly alignmentBytes: number;
  readonly runtimeAllocAllowed: boolean;
  readonly accessibleByAll: boolean;
}

type Facts = Readonly<Record<string, string>>;

export function systemFacts({ system }: Info): Facts {
  return {
    'Runtime Version': system.hsaVersion,
    'System Timestamp Freq.': `${(system.timestampHz / 1e6).toFixed(6)}MHz`,
    'Machine Model': system.machineModel.toUpperCase(),
    'System Endianness': system.endianness.toUpperCase(),
    // The largest 64-bit number; no fact of a machine.
    'Sig. Max Wait Duration': `${2n ** 64n - 1n} (0x${(2n ** 64n - 1n).toString(16).toUpperCase()}) (timestamp count)`,
  };
}

/** A number as rocminfo prints most of them. */
const both = (value: number): string => `${value}(0x${value.toString(16)})`;
const kib = (bytes: number): number => bytes / 1024;

export function agentFacts(agent: Agent): Facts {
  const { kind, gpu, dispatch } = agent;
  return {
    Name: agent.name,
    Uuid: agent.uuid,
    'Marketing Name': agent.marketingName,
    'Vendor Name': agent.vendorName,
    Feature: dispatch === undefined ? 'None specified' : 'KERNEL_DISPATCH',
    Features: dispatch === undefined ? 'None' : 'KERNEL_DISPATCH',
    Profile: `${agent.profile.toUpperCase()}_PROFILE`,
    'Float Round Mode': (dispatch?.floatRounding ?? 'near').toUpperCase(),
    'Max Queue Number': both(dispatch?.maxQueues ?? 0),
    'Queue Min Size': both(dispatch?.minQueuePackets ?? 0),
    'Queue Max Size': both(dispatch?.maxQueuePackets ?? 0),
    'Queue Type': (dispatch?.queueType ?? 'multi').toUpperCase(),
    Node: `${agent.nodeId}`,
    'Internal Node ID': `${agent.nodeId}`,
    'Device Type': kind.toUpperCase(),
    'Chip ID': both(Number(gpu?.chipId ?? 0)),
    // ROCr of 5.2.3 answers a constant; newer ones the line of the L2 cache, as `doorbell info` does.
    'Cacheline Size': both(Math.min(agent.cacheLineBytes, 64)),
    'Max Clock Freq. (MHz)': `${agent.maxClockMhz}`,
    BDFID: `${gpu === undefined ? 0 : locationOf(gpu.pciAddress)}`,
    'Compute Unit': `${gpu?.computeUnits ?? agent.cores ?? 0}`,
    'SIMDs per CU': `${gpu?.simdsPerCu ?? 0}`,
    // libhsakmt of 5.2.3 takes the count of all arrays; newer ones divide it.
    'Shader Engines': `${(gpu?.shaderEngines ?? 0) * (gpu?.arraysPerEngine ?? 0)}`,
    'Shader Arrs. per Eng.': `${gpu?.arraysPerEngine ?? 0}`,
    // A CPU has none; ROCr computes 2^0 from its empty field.
    'WatchPts on Addr. Ranges': `${gpu?.watchPoints ?? 1}`,
    ...cacheFacts(agent),
    ...(gpu === undefined || dispatch === undefined
      ? {}
      : {
          'Fast F16 Operation': `${dispatch.fastF16}`.toUpperCase(),
          'Wavefront Size': both(gpu.wavefrontSize),
          'Max Waves Per CU': both(gpu.maxWavesPerCu),
          'Max Work-item Per CU': both(gpu.maxWavesPerCu * gpu.wavefrontSize),
          'Max fbarriers/Workgrp': `${dispatch.maxFbarriers}`,
          ...sizeFacts(dispatch),
        }),
  };
}

/** Caches of a GPU in KiB, all of a level that is shared together; those of a CPU were given to ROCr in bytes, which it prints as KB. */
function cacheFacts({ kind, caches }: Agent): Facts {
  const facts: Record<string, string> = {};
  for (const { level, sizeBytes, count } of caches) {
    const all = level === 1 ? sizeBytes : sizeBytes * count;
    facts[`Cache Info: L${level}`] ??= `${both(kind === 'cpu' ? all : kib(all))} KB`;
  }
  return facts;
}

function sizeFacts({ maxWorkgroupSize, maxGridSize }: NonNullable<Agent['dispatch']>): Facts {
  const axes = (label: string, value: number): Facts =>
    Object.fromEntries(['x', 'y', 'z'].map((axis) => [`${label} per Dimension: ${axis}`, both(value)]));
  return {
    'Workgroup Max Size': both(maxWorkgroupSize),
    'Grid Max Size': both(maxGridSize),
    ...axes('Workgroup Max Size', maxWorkgroupSize),
    ...axes('Grid Max Size', maxGridSize),
  };
}

export function isaFacts({ isaNames, dispatch }: Agent, index: number): Facts {
  if (dispatch === undefined) return {};
  return {
    Name: isaNames[index] ?? '',
    'Machine Models': 'HSA_MACHINE_MODEL_LARGE',
    Profiles: 'HSA_PROFILE_BASE',
    'Default Rounding Mode': dispatch.floatRounding.toUpperCase(),
    'Fast f16': `${dispatch.fastF16}`.toUpperCase(),
    'FBarrier Max Size': `${dispatch.maxFbarriers}`,
    ...sizeFacts(dispatch),
  };
}

/** Pools in the order and with the facts of 5.2.3, which knows no extended fine grain, and no fine-grained VRAM without a link of xGMI. */
export function poolFacts({ kind, pools }: Agent): readonly Facts[] {
  const known = pools.filter(
    ({ coherence, kind: memory }) => coherence !== 'extended-fine' && !(memory === 'vram' && coherence === 'fine'),
  );
  return known.map((pool) => {
    const isLds = pool.kind === 'lds' || pool.kind === 'group';
    const flags = [...(pool.kernarg ? ['KERNARG'] : []), `${pool.coherence.toUpperCase()} GRAINED`];
    const granule = pool.runtimeAllocAllowed ? kib(pool.granuleBytes) : 0;
    return {
      Segment: isLds ? 'GROUP' : `GLOBAL; FLAGS: ${flags.join(', ')}`,
      Size: `${both(kib(pool.sizeBytes))} KB`,
      Allocatable: `${pool.runtimeAllocAllowed}`.toUpperCase(),
      'Alloc Granule': `${granule}KB`,
      'Alloc Alignment': `${pool.runtimeAllocAllowed ? kib(pool.alignmentBytes) : 0}KB`,
      'Accessible by all': `${kind === 'cpu' ? pool.accessibleByAll : false}`.toUpperCase(),
    };
  });
}

/** bus << 8 | device << 3 | function of `0000:63:00.0`. */
function locationOf(pciAddress: string): number {
  const [, bus = '', device = '', fn = ''] = /:([0-9a-f]+):([0-9a-f]+)\.(\d)$/.exec(pciAddress) ?? [];
  return (Number.parseInt(bus, 16) << 8) | (Number.parseInt(device, 16) << 3) | Number(fn);
}
