/** Thunk structures of August 2025: what changed since 5.2.3 laid out by the C compiler, all else compared with 5.2.3's. */
import { describe, expect, it } from 'vitest';
import { hsakmtA, hsakmtB } from '../src/index.js';
import { runC, whyNoHeaders } from './c-compiler.js';
import { layoutReport, layoutsOf } from './layout-facts.js';

/** hsakmttypes.h of ROCR-Runtime, August 2025: members in its order, under its `#pragma pack(4)`. */
const CHANGED = `
#pragma pack(push, 4)
typedef union { HSAuint32 Value; struct { unsigned HotPluggable : 1, HSAMMUPresent : 1, SharedWithGraphics : 1, QueueSizePowerOfTwo : 1,
  QueueSize32bit : 1, QueueIdleEvent : 1, VALimit : 1, WatchPointsSupported : 1, WatchPointsTotalBits : 4, DoorbellType : 2,
  AQLQueueDoubleMap : 1, DebugTrapSupported : 1, WaveLaunchTrapOverrideSupported : 1, WaveLaunchModeSupported : 1,
  PreciseMemoryOperationsSupported : 1, DEPRECATED_SRAM_EDCSupport : 1, Mem_EDCSupport : 1, RASEventNotify : 1, ASICRevision : 4,
  SRAM_EDCSupport : 1, SVMAPISupported : 1, CoherentHostAccess : 1, DebugSupportedFirmware : 1, PreciseALUOperationsSupported : 1,
  PerQueueResetSupported : 1; } ui32; } B_HSA_CAPABILITY;
typedef union { HSAuint32 Value; struct { unsigned PerSDMAQueueResetSupported : 1, Reserved : 31; } ui32; } B_HSA_CAPABILITY2;
typedef union { HSAuint32 Value; struct { unsigned requiresVAddr : 1, Unused : 31; } ui32; } B_HSA_REGISTER_MEM_FLAGS;
typedef struct {
  HSAuint32 NumCPUCores, NumFComputeCores, NumNeuralCores, NumMemoryBanks, NumCaches, NumIOLinks, CComputeIdLo, FComputeIdLo;
  B_HSA_CAPABILITY Capability; B_HSA_CAPABILITY2 Capability2;
  HSAuint32 MaxWavesPerSIMD, LDSSizeInKB, GDSSizeInKB, WaveFrontSize, NumShaderBanks, NumArrays, NumCUPerArray, NumSIMDPerCU,
    MaxSlotsScratchCU;
  HSA_ENGINE_ID EngineId, OverrideEngineId;
  HSAuint16 VendorId, DeviceId; HSAuint32 LocationId; HSAuint64 LocalMemSize;
  HSAuint32 MaxEngineClockMhzFCompute, MaxEngineClockMhzCCompute; HSAint32 DrmRenderMinor;
  HSAuint16 MarketingName[64]; HSAuint8 AMDName[64];
  HSA_ENGINE_VERSION uCodeEngineVersions; HSA_DEBUG_PROPERTIES DebugProperties; HSAuint64 HiveID;
  HSAuint32 NumSdmaEngines, NumSdmaXgmiEngines; HSAuint8 NumSdmaQueuesPerEngine, NumCpQueues, NumGws, Integrated;
  HSAuint32 Domain; HSAuint64 UniqueID; HSAuint32 VGPRSizePerCU, SGPRSizePerCU, NumXcc, KFDGpuID, FamilyID;
} B_HsaNodeProperties;
typedef struct {
  HSA_IOLINKTYPE IoLinkType; HSAuint32 VersionMajor, VersionMinor, NodeFrom, NodeTo, Weight, MinimumLatency, MaximumLatency,
    MinimumBandwidth, MaximumBandwidth, RecTransferSize, RecSdmaEngIdMask; HSA_LINKPROPERTY Flags;
} B_HsaIoLinkProperties;
typedef struct { union { struct { unsigned NonPaged : 1, CachePolicy : 2, ReadOnly : 1, PageSize : 2, HostAccess : 1, NoSubstitute : 1,
  GDSMemory : 1, Scratch : 1, AtomicAccessFull : 1, AtomicAccessPartial : 1, ExecuteAccess : 1, CoarseGrain : 1, AQLQueueMemory : 1,
  FixedAddress : 1, NoNUMABind : 1, Uncached : 1, NoAddress : 1, OnlyAddress : 1, ExtendedCoherent : 1, GTTAccess : 1, Contiguous : 1,
  ExecuteBlit : 1, Reserved : 8; } ui32; HSAuint32 Value; }; } B_HsaMemFlags;
typedef struct { HSA_POINTER_TYPE Type; HSAuint32 Node; B_HsaMemFlags MemFlags; void *CPUAddress; HSAuint64 GPUAddress, SizeInBytes;
  HSAuint32 NRegisteredNodes, NMappedNodes; const HSAuint32 *RegisteredNodes, *MappedNodes; void *UserData; } B_HsaPointerInfo;
typedef struct { HSAuint32 NodeId, ResetType, MemoryLost; int ResetCause; } B_HsaHwException;
typedef struct { HSA_EVENTTYPE EventType; union { HsaSyncVar SyncVar; HsaNodeChange NodeChangeState; HsaDeviceStateChange DeviceState;
  HsaMemoryAccessFault MemoryAccessFault; B_HsaHwException HwException; } EventData; HSAuint64 HWData1, HWData2; HSAuint32 HWData3;
} B_HsaEventData;
typedef struct { HSA_EVENTID EventId; B_HsaEventData EventData; } B_HsaEvent;
typedef struct { void *MemoryAddress; HSAuint64 SizeInBytes; const void *Metadata; HSAuint32 MetadataSizeInBytes, NodeId;
} B_HsaGraphicsResourceInfo;
typedef struct { HSAuint64 value, value_min, value_max, flags; int method, units; } B_HsaPcSamplingInfo;
#pragma pack(pop)
`;

const NAMES = [...CHANGED.matchAll(/\} B_(\w+);/g)].map(([, name]) => name!);
const reason = whyNoHeaders('/usr/include/hsakmttypes.h');

describe('thunk structures of August 2025', () => {
  it.skipIf(reason !== '')(`are laid out as the C compiler lays out what changed ${reason}`, () => {
    const layouts = Object.fromEntries(Object.entries(layoutsOf(hsakmtB)).filter(([name]) => NAMES.includes(name)));
    const { source, expected } = layoutReport(layouts, (name) => `B_${name}`);
    expect(Object.keys(layouts).sort()).toEqual([...NAMES].sort());
    const prelude = '#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include <hsakmttypes.h>\n';
    const program = `${prelude}${CHANGED}\nint main(void) {\n${source}\nreturn 0; }\n`;
    expect(runC(program).trim().split('\n')).toEqual(expected);
  });

  it('are those of 5.2.3 but for what changed', () => {
    const [older, newer] = [layoutsOf(hsakmtA), layoutsOf(hsakmtB)];
    const same = Object.keys(newer).filter((name) => !NAMES.includes(name));
    expect(same.length).toBeGreaterThan(30);
    for (const name of same) {
      expect([name, newer[name]!.sizeBytes, newer[name]!.fields]).toEqual([name, older[name]!.sizeBytes, older[name]!.fields]);
    }
  });
});
