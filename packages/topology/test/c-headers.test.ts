import { describe, expect, it } from 'vitest';
import type { Capability } from '../src/index.js';
import { decodeCapability, discoverAgents, readTopology } from '../src/index.js';
import { missingHeaders, runC } from './support/c-constants.js';
import { makeTree, ROOT } from './support/captured-tree.js';

const reason = missingHeaders();

/** Field of HSA_CAPABILITY with all its bits set → what it must decode to. */
const FIELDS: readonly (readonly [c: string, field: keyof Capability, value: boolean | number])[] = [
  ['HotPluggable', 'hotPluggable', true],
  ['SharedWithGraphics', 'sharedWithGraphics', true],
  ['QueueSize32bit', 'queueSize32Bit', true],
  ['QueueIdleEvent', 'queueIdleEvent', true],
  ['VALimit', 'vaLimit', true],
  ['AQLQueueDoubleMap', 'aqlQueueDoubleMap', true],
  ['WaveLaunchTrapOverrideSupported', 'waveLaunchTrapOverride', true],
  ['WaveLaunchModeSupported', 'waveLaunchMode', true],
  ['RASEventNotify', 'rasEventNotify', true],
  ['DebugSupportedFirmware', 'debugFirmware', true],
  ['HSAMMUPresent', 'hsaMmuPresent', true],
  ['QueueSizePowerOfTwo', 'queueSizePowerOfTwo', true],
  ['DoorbellType', 'doorbellType', 3],
  ['DebugTrapSupported', 'debugTrap', true],
  ['PreciseMemoryOperationsSupported', 'preciseMemoryOps', true],
  ['Mem_EDCSupport', 'memoryEcc', true],
  ['SRAM_EDCSupport', 'sramEcc', true],
  ['ASICRevision', 'asicRevision', 15],
  ['SVMAPISupported', 'svmApi', true],
  ['CoherentHostAccess', 'coherentHostAccess', true],
];

describe.skipIf(reason !== '')(`against the C headers${reason === '' ? '' : ` (${reason})`}`, () => {
  it('decodes each field of HSA_CAPABILITY at its place, and nothing else', () => {
    const values = runC(
      FIELDS.map(([c]) => `{ HSA_CAPABILITY c = { 0 }; c.ui32.${c} = ~0u; printf("${c} %u\\n", (unsigned)c.Value); }`),
    );
    const nothing = decodeCapability({ capability: 0, capability2: 0, debugProp: 0n });
    for (const [c, field, value] of FIELDS) {
      const decoded = decodeCapability({ capability: values.get(c)!, capability2: 0, debugProp: 0n });
      expect([c, decoded]).toEqual([c, { ...nothing, [field]: value }]);
    }
  });

  it('counts watch points as HSA_CAPABILITY says', () => {
    const values = runC([
      '{ HSA_CAPABILITY c = { 0 }; c.ui32.WatchPointsSupported = 1; c.ui32.WatchPointsTotalBits = 2; printf("c %u\\n", (unsigned)c.Value); }',
    ]);
    expect(decodeCapability({ capability: values.get('c')!, capability2: 0, debugProp: 0n }).watchPoints).toBe(4);
  });

  it('finds DispatchInfoAlwaysValid in the debug properties', () => {
    const values = runC([
      '{ HSA_DEBUG_PROPERTIES d = { 0 }; d.DispatchInfoAlwaysValid = 1; printf("d %llu\\n", (unsigned long long)d.Value); }',
    ]);
    expect(decodeCapability({ capability: 0, capability2: 0, debugProp: BigInt(values.get('d')!) }).dispatchInfoAlwaysValid).toBe(
      true,
    );
  });

  it('names link types, their HSA numbers and flags', () => {
    const types = ['HYPERTRANSPORT', 'QPI', 'PCIE', 'INFINBAND', 'XGMI'];
    const kfdNames = [
      'HSA_IOLINKTYPE_HYPERTRANSPORT',
      'HSA_IOLINK_TYPE_QPI_1_1',
      'HSA_IOLINKTYPE_PCIEXPRESS',
      'HSA_IOLINK_TYPE_INFINIBAND',
      'HSA_IOLINK_TYPE_XGMI',
    ];
    const values = runC([
      ...types.map((type) => `printf("${type} %d\\n", HSA_AMD_LINK_INFO_TYPE_${type});`),
      ...kfdNames.map((name, index) => `printf("kfd-${types[index]} %d\\n", ${name});`),
      ...['NonCoherent', 'NoAtomics32bit', 'NoAtomics64bit', 'NoPeerToPeerDMA'].map(
        (flag) =>
          `{ HSA_LINKPROPERTY l = { 0 }; l.ui32.Override = 1; l.ui32.${flag} = 1; printf("${flag} %u\\n", (unsigned)l.LinkProperty); }`,
      ),
    ]);
    const file = `${ROOT}/nodes/1/io_links/0/properties`;
    const linksWith = (key: string, value: number): readonly object[] => {
      const tree = makeTree(['gfx1100']);
      tree.setProperty(file, key, value);
      return discoverAgents(readTopology(tree), { source: tree }).gpus[0]!.links;
    };
    for (const type of types)
      expect(linksWith('type', values.get(`kfd-${type}`)!)).toEqual([expect.objectContaining({ hsaType: values.get(type) })]);
    const all = { coherent: true, atomics32: true, atomics64: true };
    expect(linksWith('flags', values.get('NonCoherent')!)).toEqual([expect.objectContaining({ ...all, coherent: false })]);
    expect(linksWith('flags', values.get('NoAtomics32bit')!)).toEqual([expect.objectContaining({ ...all, atomics32: false })]);
    expect(linksWith('flags', values.get('NoAtomics64bit')!)).toEqual([expect.objectContaining({ ...all, atomics64: false })]);
    expect(linksWith('flags', values.get('NoPeerToPeerDMA')!)).toEqual([]);
  });

  it('gives pools the flags and heaps of the headers', () => {
    const values = runC([
      'printf("kernarg %d\\n", HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT);',
      'printf("fine %d\\n", HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);',
      'printf("coarse %d\\n", HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED);',
      'printf("private %d\\n", HSA_HEAPTYPE_FRAME_BUFFER_PRIVATE);',
    ]);
    const tree = makeTree(['gfx1100']);
    tree.setProperty(`${ROOT}/nodes/1/mem_banks/0/properties`, 'heap_type', values.get('private')!);
    const { cpus, gpus } = discoverAgents(readTopology(tree), { source: tree });
    expect(cpus[0]!.pools[0]!.globalFlags).toBe(values.get('fine'));
    expect(cpus[0]!.pools[2]!.globalFlags).toBe(values.get('fine')! | values.get('kernarg')!);
    expect(gpus[0]!.pools[0]).toMatchObject({ kind: 'vram', globalFlags: values.get('coarse'), hostVisible: false });
    expect(gpus[0]!.largeBar).toBe(false);
  });
});
