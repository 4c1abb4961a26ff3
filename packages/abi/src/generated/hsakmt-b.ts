// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: projects/rocr-runtime/libhsakmt/include/hsakmt/hsakmttypes.h

import type { StructLayout } from '../struct.js';
import { defineStruct } from '../struct.js';

const HSA_CAPABILITY_fields = {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      HotPluggable: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      HSAMMUPresent: { offset: 0, type: 'u32', bit: 1, bits: 1 },
      SharedWithGraphics: { offset: 0, type: 'u32', bit: 2, bits: 1 },
      QueueSizePowerOfTwo: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      QueueSize32bit: { offset: 0, type: 'u32', bit: 4, bits: 1 },
      QueueIdleEvent: { offset: 0, type: 'u32', bit: 5, bits: 1 },
      VALimit: { offset: 0, type: 'u32', bit: 6, bits: 1 },
      WatchPointsSupported: { offset: 0, type: 'u32', bit: 7, bits: 1 },
      WatchPointsTotalBits: { offset: 0, type: 'u32', bit: 8, bits: 4 },
      DoorbellType: { offset: 0, type: 'u32', bit: 12, bits: 2 },
      AQLQueueDoubleMap: { offset: 0, type: 'u32', bit: 14, bits: 1 },
      DebugTrapSupported: { offset: 0, type: 'u32', bit: 15, bits: 1 },
      WaveLaunchTrapOverrideSupported: { offset: 0, type: 'u32', bit: 16, bits: 1 },
      WaveLaunchModeSupported: { offset: 0, type: 'u32', bit: 17, bits: 1 },
      PreciseMemoryOperationsSupported: { offset: 0, type: 'u32', bit: 18, bits: 1 },
      DEPRECATED_SRAM_EDCSupport: { offset: 0, type: 'u32', bit: 19, bits: 1 },
      Mem_EDCSupport: { offset: 0, type: 'u32', bit: 20, bits: 1 },
      RASEventNotify: { offset: 0, type: 'u32', bit: 21, bits: 1 },
      ASICRevision: { offset: 0, type: 'u32', bit: 22, bits: 4 },
      SRAM_EDCSupport: { offset: 0, type: 'u32', bit: 26, bits: 1 },
      SVMAPISupported: { offset: 0, type: 'u32', bit: 27, bits: 1 },
      CoherentHostAccess: { offset: 0, type: 'u32', bit: 28, bits: 1 },
      DebugSupportedFirmware: { offset: 0, type: 'u32', bit: 29, bits: 1 },
      PreciseALUOperationsSupported: { offset: 0, type: 'u32', bit: 30, bits: 1 },
      PerQueueResetSupported: { offset: 0, type: 'u32', bit: 31, bits: 1 },
    },
  } },
} as const;
export const HSA_CAPABILITY: StructLayout<typeof HSA_CAPABILITY_fields> = /* @__PURE__ */ defineStruct('HSA_CAPABILITY', 4, HSA_CAPABILITY_fields);

const HSA_CAPABILITY2_fields = {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      PerSDMAQueueResetSupported: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 1, bits: 31 },
    },
  } },
} as const;
export const HSA_CAPABILITY2: StructLayout<typeof HSA_CAPABILITY2_fields> = /* @__PURE__ */ defineStruct('HSA_CAPABILITY2', 4, HSA_CAPABILITY2_fields);

const HSA_DEBUG_PROPERTIES_fields = {
  Value: { offset: 0, type: 'u64' },
  WatchAddrMaskLoBit: { offset: 0, type: 'u32', bit: 0, bits: 4 },
  WatchAddrMaskHiBit: { offset: 0, type: 'u32', bit: 4, bits: 6 },
  DispatchInfoAlwaysValid: { offset: 0, type: 'u32', bit: 10, bits: 1 },
  AddressWatchpointShareKind: { offset: 0, type: 'u32', bit: 11, bits: 1 },
  Reserved: { offset: 0, type: 'u64', bit: 12, bits: 52 },
} as const;
export const HSA_DEBUG_PROPERTIES: StructLayout<typeof HSA_DEBUG_PROPERTIES_fields> = /* @__PURE__ */ defineStruct('HSA_DEBUG_PROPERTIES', 8, HSA_DEBUG_PROPERTIES_fields);

const HSA_ENGINE_ID_fields = {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      uCode: { offset: 0, type: 'u32', bit: 0, bits: 10 },
      Major: { offset: 0, type: 'u32', bit: 10, bits: 6 },
      Minor: { offset: 0, type: 'u32', bit: 16, bits: 8 },
      Stepping: { offset: 0, type: 'u32', bit: 24, bits: 8 },
    },
  } },
} as const;
export const HSA_ENGINE_ID: StructLayout<typeof HSA_ENGINE_ID_fields> = /* @__PURE__ */ defineStruct('HSA_ENGINE_ID', 4, HSA_ENGINE_ID_fields);

const HSA_ENGINE_VERSION_fields = {
  Value: { offset: 0, type: 'u32' },
  uCodeSDMA: { offset: 0, type: 'u32', bit: 0, bits: 10 },
  uCodeRes: { offset: 0, type: 'u32', bit: 10, bits: 10 },
  Reserved: { offset: 0, type: 'u32', bit: 20, bits: 12 },
} as const;
export const HSA_ENGINE_VERSION: StructLayout<typeof HSA_ENGINE_VERSION_fields> = /* @__PURE__ */ defineStruct('HSA_ENGINE_VERSION', 4, HSA_ENGINE_VERSION_fields);

const HSA_LINKPROPERTY_fields = {
  LinkProperty: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      Override: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      NonCoherent: { offset: 0, type: 'u32', bit: 1, bits: 1 },
      NoAtomics32bit: { offset: 0, type: 'u32', bit: 2, bits: 1 },
      NoAtomics64bit: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      NoPeerToPeerDMA: { offset: 0, type: 'u32', bit: 4, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 5, bits: 27 },
    },
  } },
} as const;
export const HSA_LINKPROPERTY: StructLayout<typeof HSA_LINKPROPERTY_fields> = /* @__PURE__ */ defineStruct('HSA_LINKPROPERTY', 4, HSA_LINKPROPERTY_fields);

const HSA_MEMORYPROPERTY_fields = {
  MemoryProperty: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      HotPluggable: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      NonVolatile: { offset: 0, type: 'u32', bit: 1, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 2, bits: 30 },
    },
  } },
} as const;
export const HSA_MEMORYPROPERTY: StructLayout<typeof HSA_MEMORYPROPERTY_fields> = /* @__PURE__ */ defineStruct('HSA_MEMORYPROPERTY', 4, HSA_MEMORYPROPERTY_fields);

const HSA_REGISTER_MEM_FLAGS_fields = {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      requiresVAddr: { offset: 0, type: 'u32', bit: 0, bits: 1 },
    },
  } },
} as const;
export const HSA_REGISTER_MEM_FLAGS: StructLayout<typeof HSA_REGISTER_MEM_FLAGS_fields> = /* @__PURE__ */ defineStruct('HSA_REGISTER_MEM_FLAGS', 4, HSA_REGISTER_MEM_FLAGS_fields);

const HSA_SVM_ATTRIBUTE_fields = {
  type: { offset: 0, type: 'u32' },
  value: { offset: 4, type: 'u32' },
} as const;
export const HSA_SVM_ATTRIBUTE: StructLayout<typeof HSA_SVM_ATTRIBUTE_fields> = /* @__PURE__ */ defineStruct('HSA_SVM_ATTRIBUTE', 8, HSA_SVM_ATTRIBUTE_fields);

const HSA_UUID_fields = {
  Data1: { offset: 0, type: 'u32' },
  Data2: { offset: 4, type: 'u16' },
  Data3: { offset: 6, type: 'u16' },
  Data4: { offset: 8, type: { array: 'u8', length: 8 } },
} as const;
export const HSA_UUID: StructLayout<typeof HSA_UUID_fields> = /* @__PURE__ */ defineStruct('HSA_UUID', 16, HSA_UUID_fields);

const HsaAccessAttributeFailure_fields = {
  NotPresent: { offset: 0, type: 'u32', bit: 0, bits: 1 },
  ReadOnly: { offset: 0, type: 'u32', bit: 1, bits: 1 },
  NoExecute: { offset: 0, type: 'u32', bit: 2, bits: 1 },
  GpuAccess: { offset: 0, type: 'u32', bit: 3, bits: 1 },
  ECC: { offset: 0, type: 'u32', bit: 4, bits: 1 },
  Imprecise: { offset: 0, type: 'u32', bit: 5, bits: 1 },
  ErrorType: { offset: 0, type: 'u32', bit: 6, bits: 3 },
  Reserved: { offset: 0, type: 'u32', bit: 9, bits: 23 },
} as const;
export const HsaAccessAttributeFailure: StructLayout<typeof HsaAccessAttributeFailure_fields> = /* @__PURE__ */ defineStruct('HsaAccessAttributeFailure', 4, HsaAccessAttributeFailure_fields);

const HsaCComputeProperties_fields = {
  SiblingMap: { offset: 0, type: { array: 'u32', length: 256 } },
} as const;
export const HsaCComputeProperties: StructLayout<typeof HsaCComputeProperties_fields> = /* @__PURE__ */ defineStruct('HsaCComputeProperties', 1024, HsaCComputeProperties_fields);

const HsaCacheProperties_fields = {
  ProcessorIdLow: { offset: 0, type: 'u32' },
  CacheLevel: { offset: 4, type: 'u32' },
  CacheSize: { offset: 8, type: 'u32' },
  CacheLineSize: { offset: 12, type: 'u32' },
  CacheLinesPerTag: { offset: 16, type: 'u32' },
  CacheAssociativity: { offset: 20, type: 'u32' },
  CacheLatency: { offset: 24, type: 'u32' },
  CacheType: { offset: 28, type: {
    sizeBytes: 4,
    struct: {
      Value: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          Data: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          Instruction: { offset: 0, type: 'u32', bit: 1, bits: 1 },
          CPU: { offset: 0, type: 'u32', bit: 2, bits: 1 },
          HSACU: { offset: 0, type: 'u32', bit: 3, bits: 1 },
          Reserved: { offset: 0, type: 'u32', bit: 4, bits: 28 },
        },
      } },
    },
  } },
  SiblingMap: { offset: 32, type: { array: 'u32', length: 256 } },
} as const;
export const HsaCacheProperties: StructLayout<typeof HsaCacheProperties_fields> = /* @__PURE__ */ defineStruct('HsaCacheProperties', 1056, HsaCacheProperties_fields);

const HsaCacheType_fields = {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      Data: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      Instruction: { offset: 0, type: 'u32', bit: 1, bits: 1 },
      CPU: { offset: 0, type: 'u32', bit: 2, bits: 1 },
      HSACU: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 4, bits: 28 },
    },
  } },
} as const;
export const HsaCacheType: StructLayout<typeof HsaCacheType_fields> = /* @__PURE__ */ defineStruct('HsaCacheType', 4, HsaCacheType_fields);

const HsaClockCounters_fields = {
  GPUClockCounter: { offset: 0, type: 'u64' },
  CPUClockCounter: { offset: 8, type: 'u64' },
  SystemClockCounter: { offset: 16, type: 'u64' },
  SystemClockFrequencyHz: { offset: 24, type: 'u64' },
} as const;
export const HsaClockCounters: StructLayout<typeof HsaClockCounters_fields> = /* @__PURE__ */ defineStruct('HsaClockCounters', 32, HsaClockCounters_fields);

const HsaCounter_fields = {
  Type: { offset: 0, type: 'u32' },
  CounterId: { offset: 4, type: 'u64' },
  CounterSizeInBits: { offset: 12, type: 'u32' },
  CounterMask: { offset: 16, type: 'u64' },
  Flags: { offset: 24, type: {
    sizeBytes: 4,
    struct: {
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          Global: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          Resettable: { offset: 0, type: 'u32', bit: 1, bits: 1 },
          ReadOnly: { offset: 0, type: 'u32', bit: 2, bits: 1 },
          Stream: { offset: 0, type: 'u32', bit: 3, bits: 1 },
          Reserved: { offset: 0, type: 'u32', bit: 4, bits: 28 },
        },
      } },
      Value: { offset: 0, type: 'u32' },
    },
  } },
  BlockIndex: { offset: 28, type: 'u32' },
} as const;
export const HsaCounter: StructLayout<typeof HsaCounter_fields> = /* @__PURE__ */ defineStruct('HsaCounter', 32, HsaCounter_fields);

const HsaCounterBlockProperties_fields = {
  BlockId: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      Data1: { offset: 0, type: 'u32' },
      Data2: { offset: 4, type: 'u16' },
      Data3: { offset: 6, type: 'u16' },
      Data4: { offset: 8, type: { array: 'u8', length: 8 } },
    },
  } },
  NumCounters: { offset: 16, type: 'u32' },
  NumConcurrent: { offset: 20, type: 'u32' },
  Counters: { offset: 24, type: { array: {
    sizeBytes: 32,
    struct: {
      Type: { offset: 0, type: 'u32' },
      CounterId: { offset: 4, type: 'u64' },
      CounterSizeInBits: { offset: 12, type: 'u32' },
      CounterMask: { offset: 16, type: 'u64' },
      Flags: { offset: 24, type: {
        sizeBytes: 4,
        struct: {
          ui32: { offset: 0, type: {
            sizeBytes: 4,
            struct: {
              Global: { offset: 0, type: 'u32', bit: 0, bits: 1 },
              Resettable: { offset: 0, type: 'u32', bit: 1, bits: 1 },
              ReadOnly: { offset: 0, type: 'u32', bit: 2, bits: 1 },
              Stream: { offset: 0, type: 'u32', bit: 3, bits: 1 },
              Reserved: { offset: 0, type: 'u32', bit: 4, bits: 28 },
            },
          } },
          Value: { offset: 0, type: 'u32' },
        },
      } },
      BlockIndex: { offset: 28, type: 'u32' },
    },
  }, length: 1 } },
} as const;
export const HsaCounterBlockProperties: StructLayout<typeof HsaCounterBlockProperties_fields> = /* @__PURE__ */ defineStruct('HsaCounterBlockProperties', 56, HsaCounterBlockProperties_fields);

const HsaCounterFlags_fields = {
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      Global: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      Resettable: { offset: 0, type: 'u32', bit: 1, bits: 1 },
      ReadOnly: { offset: 0, type: 'u32', bit: 2, bits: 1 },
      Stream: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 4, bits: 28 },
    },
  } },
  Value: { offset: 0, type: 'u32' },
} as const;
export const HsaCounterFlags: StructLayout<typeof HsaCounterFlags_fields> = /* @__PURE__ */ defineStruct('HsaCounterFlags', 4, HsaCounterFlags_fields);

const HsaCounterProperties_fields = {
  NumBlocks: { offset: 0, type: 'u32' },
  NumConcurrent: { offset: 4, type: 'u32' },
  Blocks: { offset: 8, type: { array: {
    sizeBytes: 56,
    struct: {
      BlockId: { offset: 0, type: {
        sizeBytes: 16,
        struct: {
          Data1: { offset: 0, type: 'u32' },
          Data2: { offset: 4, type: 'u16' },
          Data3: { offset: 6, type: 'u16' },
          Data4: { offset: 8, type: { array: 'u8', length: 8 } },
        },
      } },
      NumCounters: { offset: 16, type: 'u32' },
      NumConcurrent: { offset: 20, type: 'u32' },
      Counters: { offset: 24, type: { array: {
        sizeBytes: 32,
        struct: {
          Type: { offset: 0, type: 'u32' },
          CounterId: { offset: 4, type: 'u64' },
          CounterSizeInBits: { offset: 12, type: 'u32' },
          CounterMask: { offset: 16, type: 'u64' },
          Flags: { offset: 24, type: {
            sizeBytes: 4,
            struct: {
              ui32: { offset: 0, type: {
                sizeBytes: 4,
                struct: {
                  Global: { offset: 0, type: 'u32', bit: 0, bits: 1 },
                  Resettable: { offset: 0, type: 'u32', bit: 1, bits: 1 },
                  ReadOnly: { offset: 0, type: 'u32', bit: 2, bits: 1 },
                  Stream: { offset: 0, type: 'u32', bit: 3, bits: 1 },
                  Reserved: { offset: 0, type: 'u32', bit: 4, bits: 28 },
                },
              } },
              Value: { offset: 0, type: 'u32' },
            },
          } },
          BlockIndex: { offset: 28, type: 'u32' },
        },
      }, length: 1 } },
    },
  }, length: 1 } },
} as const;
export const HsaCounterProperties: StructLayout<typeof HsaCounterProperties_fields> = /* @__PURE__ */ defineStruct('HsaCounterProperties', 64, HsaCounterProperties_fields);

const HsaDbgWaveMessage_fields = {
  MemoryVA: { offset: 0, type: 'u64' },
  DbgWaveMsg: { offset: 8, type: {
    sizeBytes: 8,
    struct: {
      WaveMsgInfoGen2: { offset: 0, type: {
        sizeBytes: 8,
        struct: {
          Value: { offset: 0, type: 'u32' },
          Reserved2: { offset: 4, type: 'u32' },
        },
      } },
    },
  } },
} as const;
export const HsaDbgWaveMessage: StructLayout<typeof HsaDbgWaveMessage_fields> = /* @__PURE__ */ defineStruct('HsaDbgWaveMessage', 16, HsaDbgWaveMessage_fields);

const HsaDbgWaveMessageAMD_fields = {
  WaveMsgInfoGen2: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      Value: { offset: 0, type: 'u32' },
      Reserved2: { offset: 4, type: 'u32' },
    },
  } },
} as const;
export const HsaDbgWaveMessageAMD: StructLayout<typeof HsaDbgWaveMessageAMD_fields> = /* @__PURE__ */ defineStruct('HsaDbgWaveMessageAMD', 8, HsaDbgWaveMessageAMD_fields);

const HsaDbgWaveMsgAMDGen2_fields = {
  Value: { offset: 0, type: 'u32' },
  Reserved2: { offset: 4, type: 'u32' },
} as const;
export const HsaDbgWaveMsgAMDGen2: StructLayout<typeof HsaDbgWaveMsgAMDGen2_fields> = /* @__PURE__ */ defineStruct('HsaDbgWaveMsgAMDGen2', 8, HsaDbgWaveMsgAMDGen2_fields);

const HsaDeviceStateChange_fields = {
  NodeId: { offset: 0, type: 'u32' },
  Device: { offset: 4, type: 'u32' },
  Flags: { offset: 8, type: 'u32' },
} as const;
export const HsaDeviceStateChange: StructLayout<typeof HsaDeviceStateChange_fields> = /* @__PURE__ */ defineStruct('HsaDeviceStateChange', 12, HsaDeviceStateChange_fields);

const HsaEvent_fields = {
  EventId: { offset: 0, type: 'u32' },
  EventData: { offset: 4, type: {
    sizeBytes: 44,
    struct: {
      EventType: { offset: 0, type: 'u32' },
      EventData: { offset: 4, type: {
        sizeBytes: 20,
        struct: {
          SyncVar: { offset: 0, type: {
            sizeBytes: 16,
            struct: {
              SyncVar: { offset: 0, type: {
                sizeBytes: 8,
                struct: {
                  UserData: { offset: 0, type: 'u64' },
                  UserDataPtrValue: { offset: 0, type: 'u64' },
                },
              } },
              SyncVarSize: { offset: 8, type: 'u64' },
            },
          } },
          NodeChangeState: { offset: 0, type: {
            sizeBytes: 4,
            struct: {
              Flags: { offset: 0, type: 'u32' },
            },
          } },
          DeviceState: { offset: 0, type: {
            sizeBytes: 12,
            struct: {
              NodeId: { offset: 0, type: 'u32' },
              Device: { offset: 4, type: 'u32' },
              Flags: { offset: 8, type: 'u32' },
            },
          } },
          MemoryAccessFault: { offset: 0, type: {
            sizeBytes: 20,
            struct: {
              NodeId: { offset: 0, type: 'u32' },
              VirtualAddress: { offset: 4, type: 'u64' },
              Failure: { offset: 12, type: {
                sizeBytes: 4,
                struct: {
                  NotPresent: { offset: 0, type: 'u32', bit: 0, bits: 1 },
                  ReadOnly: { offset: 0, type: 'u32', bit: 1, bits: 1 },
                  NoExecute: { offset: 0, type: 'u32', bit: 2, bits: 1 },
                  GpuAccess: { offset: 0, type: 'u32', bit: 3, bits: 1 },
                  ECC: { offset: 0, type: 'u32', bit: 4, bits: 1 },
                  Imprecise: { offset: 0, type: 'u32', bit: 5, bits: 1 },
                  ErrorType: { offset: 0, type: 'u32', bit: 6, bits: 3 },
                  Reserved: { offset: 0, type: 'u32', bit: 9, bits: 23 },
                },
              } },
              Flags: { offset: 16, type: 'u32' },
            },
          } },
          HwException: { offset: 0, type: {
            sizeBytes: 16,
            struct: {
              NodeId: { offset: 0, type: 'u32' },
              ResetType: { offset: 4, type: 'u32' },
              MemoryLost: { offset: 8, type: 'u32' },
              ResetCause: { offset: 12, type: 'u32' },
            },
          } },
        },
      } },
      HWData1: { offset: 24, type: 'u64' },
      HWData2: { offset: 32, type: 'u64' },
      HWData3: { offset: 40, type: 'u32' },
    },
  } },
} as const;
export const HsaEvent: StructLayout<typeof HsaEvent_fields> = /* @__PURE__ */ defineStruct('HsaEvent', 48, HsaEvent_fields);

const HsaEventData_fields = {
  EventType: { offset: 0, type: 'u32' },
  EventData: { offset: 4, type: {
    sizeBytes: 20,
    struct: {
      SyncVar: { offset: 0, type: {
        sizeBytes: 16,
        struct: {
          SyncVar: { offset: 0, type: {
            sizeBytes: 8,
            struct: {
              UserData: { offset: 0, type: 'u64' },
              UserDataPtrValue: { offset: 0, type: 'u64' },
            },
          } },
          SyncVarSize: { offset: 8, type: 'u64' },
        },
      } },
      NodeChangeState: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          Flags: { offset: 0, type: 'u32' },
        },
      } },
      DeviceState: { offset: 0, type: {
        sizeBytes: 12,
        struct: {
          NodeId: { offset: 0, type: 'u32' },
          Device: { offset: 4, type: 'u32' },
          Flags: { offset: 8, type: 'u32' },
        },
      } },
      MemoryAccessFault: { offset: 0, type: {
        sizeBytes: 20,
        struct: {
          NodeId: { offset: 0, type: 'u32' },
          VirtualAddress: { offset: 4, type: 'u64' },
          Failure: { offset: 12, type: {
            sizeBytes: 4,
            struct: {
              NotPresent: { offset: 0, type: 'u32', bit: 0, bits: 1 },
              ReadOnly: { offset: 0, type: 'u32', bit: 1, bits: 1 },
              NoExecute: { offset: 0, type: 'u32', bit: 2, bits: 1 },
              GpuAccess: { offset: 0, type: 'u32', bit: 3, bits: 1 },
              ECC: { offset: 0, type: 'u32', bit: 4, bits: 1 },
              Imprecise: { offset: 0, type: 'u32', bit: 5, bits: 1 },
              ErrorType: { offset: 0, type: 'u32', bit: 6, bits: 3 },
              Reserved: { offset: 0, type: 'u32', bit: 9, bits: 23 },
            },
          } },
          Flags: { offset: 16, type: 'u32' },
        },
      } },
      HwException: { offset: 0, type: {
        sizeBytes: 16,
        struct: {
          NodeId: { offset: 0, type: 'u32' },
          ResetType: { offset: 4, type: 'u32' },
          MemoryLost: { offset: 8, type: 'u32' },
          ResetCause: { offset: 12, type: 'u32' },
        },
      } },
    },
  } },
  HWData1: { offset: 24, type: 'u64' },
  HWData2: { offset: 32, type: 'u64' },
  HWData3: { offset: 40, type: 'u32' },
} as const;
export const HsaEventData: StructLayout<typeof HsaEventData_fields> = /* @__PURE__ */ defineStruct('HsaEventData', 44, HsaEventData_fields);

const HsaEventDescriptor_fields = {
  EventType: { offset: 0, type: 'u32' },
  NodeId: { offset: 4, type: 'u32' },
  SyncVar: { offset: 8, type: {
    sizeBytes: 16,
    struct: {
      SyncVar: { offset: 0, type: {
        sizeBytes: 8,
        struct: {
          UserData: { offset: 0, type: 'u64' },
          UserDataPtrValue: { offset: 0, type: 'u64' },
        },
      } },
      SyncVarSize: { offset: 8, type: 'u64' },
    },
  } },
} as const;
export const HsaEventDescriptor: StructLayout<typeof HsaEventDescriptor_fields> = /* @__PURE__ */ defineStruct('HsaEventDescriptor', 24, HsaEventDescriptor_fields);

const HsaGpuTileConfig_fields = {
  TileConfig: { offset: 0, type: 'u64' },
  MacroTileConfig: { offset: 8, type: 'u64' },
  NumTileConfigs: { offset: 16, type: 'u32' },
  NumMacroTileConfigs: { offset: 20, type: 'u32' },
  GbAddrConfig: { offset: 24, type: 'u32' },
  NumBanks: { offset: 28, type: 'u32' },
  NumRanks: { offset: 32, type: 'u32' },
  Reserved: { offset: 36, type: { array: 'u32', length: 7 } },
} as const;
export const HsaGpuTileConfig: StructLayout<typeof HsaGpuTileConfig_fields> = /* @__PURE__ */ defineStruct('HsaGpuTileConfig', 64, HsaGpuTileConfig_fields);

const HsaGraphicsResourceInfo_fields = {
  MemoryAddress: { offset: 0, type: 'u64' },
  SizeInBytes: { offset: 8, type: 'u64' },
  Metadata: { offset: 16, type: 'u64' },
  MetadataSizeInBytes: { offset: 24, type: 'u32' },
  NodeId: { offset: 28, type: 'u32' },
} as const;
export const HsaGraphicsResourceInfo: StructLayout<typeof HsaGraphicsResourceInfo_fields> = /* @__PURE__ */ defineStruct('HsaGraphicsResourceInfo', 32, HsaGraphicsResourceInfo_fields);

const HsaHwException_fields = {
  NodeId: { offset: 0, type: 'u32' },
  ResetType: { offset: 4, type: 'u32' },
  MemoryLost: { offset: 8, type: 'u32' },
  ResetCause: { offset: 12, type: 'u32' },
} as const;
export const HsaHwException: StructLayout<typeof HsaHwException_fields> = /* @__PURE__ */ defineStruct('HsaHwException', 16, HsaHwException_fields);

const HsaIoLinkProperties_fields = {
  IoLinkType: { offset: 0, type: 'u32' },
  VersionMajor: { offset: 4, type: 'u32' },
  VersionMinor: { offset: 8, type: 'u32' },
  NodeFrom: { offset: 12, type: 'u32' },
  NodeTo: { offset: 16, type: 'u32' },
  Weight: { offset: 20, type: 'u32' },
  MinimumLatency: { offset: 24, type: 'u32' },
  MaximumLatency: { offset: 28, type: 'u32' },
  MinimumBandwidth: { offset: 32, type: 'u32' },
  MaximumBandwidth: { offset: 36, type: 'u32' },
  RecTransferSize: { offset: 40, type: 'u32' },
  RecSdmaEngIdMask: { offset: 44, type: 'u32' },
  Flags: { offset: 48, type: {
    sizeBytes: 4,
    struct: {
      LinkProperty: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          Override: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          NonCoherent: { offset: 0, type: 'u32', bit: 1, bits: 1 },
          NoAtomics32bit: { offset: 0, type: 'u32', bit: 2, bits: 1 },
          NoAtomics64bit: { offset: 0, type: 'u32', bit: 3, bits: 1 },
          NoPeerToPeerDMA: { offset: 0, type: 'u32', bit: 4, bits: 1 },
          Reserved: { offset: 0, type: 'u32', bit: 5, bits: 27 },
        },
      } },
    },
  } },
} as const;
export const HsaIoLinkProperties: StructLayout<typeof HsaIoLinkProperties_fields> = /* @__PURE__ */ defineStruct('HsaIoLinkProperties', 52, HsaIoLinkProperties_fields);

const HsaMemFlags_fields = {
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      NonPaged: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      CachePolicy: { offset: 0, type: 'u32', bit: 1, bits: 2 },
      ReadOnly: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      PageSize: { offset: 0, type: 'u32', bit: 4, bits: 2 },
      HostAccess: { offset: 0, type: 'u32', bit: 6, bits: 1 },
      NoSubstitute: { offset: 0, type: 'u32', bit: 7, bits: 1 },
      GDSMemory: { offset: 0, type: 'u32', bit: 8, bits: 1 },
      Scratch: { offset: 0, type: 'u32', bit: 9, bits: 1 },
      AtomicAccessFull: { offset: 0, type: 'u32', bit: 10, bits: 1 },
      AtomicAccessPartial: { offset: 0, type: 'u32', bit: 11, bits: 1 },
      ExecuteAccess: { offset: 0, type: 'u32', bit: 12, bits: 1 },
      CoarseGrain: { offset: 0, type: 'u32', bit: 13, bits: 1 },
      AQLQueueMemory: { offset: 0, type: 'u32', bit: 14, bits: 1 },
      FixedAddress: { offset: 0, type: 'u32', bit: 15, bits: 1 },
      NoNUMABind: { offset: 0, type: 'u32', bit: 16, bits: 1 },
      Uncached: { offset: 0, type: 'u32', bit: 17, bits: 1 },
      NoAddress: { offset: 0, type: 'u32', bit: 18, bits: 1 },
      OnlyAddress: { offset: 0, type: 'u32', bit: 19, bits: 1 },
      ExtendedCoherent: { offset: 0, type: 'u32', bit: 20, bits: 1 },
      GTTAccess: { offset: 0, type: 'u32', bit: 21, bits: 1 },
      Contiguous: { offset: 0, type: 'u32', bit: 22, bits: 1 },
      ExecuteBlit: { offset: 0, type: 'u32', bit: 23, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 24, bits: 8 },
    },
  } },
  Value: { offset: 0, type: 'u32' },
} as const;
export const HsaMemFlags: StructLayout<typeof HsaMemFlags_fields> = /* @__PURE__ */ defineStruct('HsaMemFlags', 4, HsaMemFlags_fields);

const HsaMemMapFlags_fields = {
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      Reserved1: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      CachePolicy: { offset: 0, type: 'u32', bit: 1, bits: 2 },
      ReadOnly: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      PageSize: { offset: 0, type: 'u32', bit: 4, bits: 2 },
      HostAccess: { offset: 0, type: 'u32', bit: 6, bits: 1 },
      Migrate: { offset: 0, type: 'u32', bit: 7, bits: 1 },
      Probe: { offset: 0, type: 'u32', bit: 8, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 9, bits: 23 },
    },
  } },
  Value: { offset: 0, type: 'u32' },
} as const;
export const HsaMemMapFlags: StructLayout<typeof HsaMemMapFlags_fields> = /* @__PURE__ */ defineStruct('HsaMemMapFlags', 4, HsaMemMapFlags_fields);

const HsaMemoryAccessFault_fields = {
  NodeId: { offset: 0, type: 'u32' },
  VirtualAddress: { offset: 4, type: 'u64' },
  Failure: { offset: 12, type: {
    sizeBytes: 4,
    struct: {
      NotPresent: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      ReadOnly: { offset: 0, type: 'u32', bit: 1, bits: 1 },
      NoExecute: { offset: 0, type: 'u32', bit: 2, bits: 1 },
      GpuAccess: { offset: 0, type: 'u32', bit: 3, bits: 1 },
      ECC: { offset: 0, type: 'u32', bit: 4, bits: 1 },
      Imprecise: { offset: 0, type: 'u32', bit: 5, bits: 1 },
      ErrorType: { offset: 0, type: 'u32', bit: 6, bits: 3 },
      Reserved: { offset: 0, type: 'u32', bit: 9, bits: 23 },
    },
  } },
  Flags: { offset: 16, type: 'u32' },
} as const;
export const HsaMemoryAccessFault: StructLayout<typeof HsaMemoryAccessFault_fields> = /* @__PURE__ */ defineStruct('HsaMemoryAccessFault', 20, HsaMemoryAccessFault_fields);

const HsaMemoryProperties_fields = {
  HeapType: { offset: 0, type: 'u32' },
  SizeInBytes: { offset: 4, type: 'u64' },
  ui32: { offset: 4, type: {
    sizeBytes: 8,
    struct: {
      SizeInBytesLow: { offset: 0, type: 'u32' },
      SizeInBytesHigh: { offset: 4, type: 'u32' },
    },
  } },
  Flags: { offset: 12, type: {
    sizeBytes: 4,
    struct: {
      MemoryProperty: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          HotPluggable: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          NonVolatile: { offset: 0, type: 'u32', bit: 1, bits: 1 },
          Reserved: { offset: 0, type: 'u32', bit: 2, bits: 30 },
        },
      } },
    },
  } },
  Width: { offset: 16, type: 'u32' },
  MemoryClockMax: { offset: 20, type: 'u32' },
  VirtualBaseAddress: { offset: 24, type: 'u64' },
} as const;
export const HsaMemoryProperties: StructLayout<typeof HsaMemoryProperties_fields> = /* @__PURE__ */ defineStruct('HsaMemoryProperties', 32, HsaMemoryProperties_fields);

const HsaMemoryRange_fields = {
  MemoryAddress: { offset: 0, type: 'u64' },
  SizeInBytes: { offset: 8, type: 'u64' },
} as const;
export const HsaMemoryRange: StructLayout<typeof HsaMemoryRange_fields> = /* @__PURE__ */ defineStruct('HsaMemoryRange', 16, HsaMemoryRange_fields);

const HsaNodeChange_fields = {
  Flags: { offset: 0, type: 'u32' },
} as const;
export const HsaNodeChange: StructLayout<typeof HsaNodeChange_fields> = /* @__PURE__ */ defineStruct('HsaNodeChange', 4, HsaNodeChange_fields);

const HsaNodeProperties_fields = {
  NumCPUCores: { offset: 0, type: 'u32' },
  NumFComputeCores: { offset: 4, type: 'u32' },
  NumNeuralCores: { offset: 8, type: 'u32' },
  NumMemoryBanks: { offset: 12, type: 'u32' },
  NumCaches: { offset: 16, type: 'u32' },
  NumIOLinks: { offset: 20, type: 'u32' },
  CComputeIdLo: { offset: 24, type: 'u32' },
  FComputeIdLo: { offset: 28, type: 'u32' },
  Capability: { offset: 32, type: {
    sizeBytes: 4,
    struct: {
      Value: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          HotPluggable: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          HSAMMUPresent: { offset: 0, type: 'u32', bit: 1, bits: 1 },
          SharedWithGraphics: { offset: 0, type: 'u32', bit: 2, bits: 1 },
          QueueSizePowerOfTwo: { offset: 0, type: 'u32', bit: 3, bits: 1 },
          QueueSize32bit: { offset: 0, type: 'u32', bit: 4, bits: 1 },
          QueueIdleEvent: { offset: 0, type: 'u32', bit: 5, bits: 1 },
          VALimit: { offset: 0, type: 'u32', bit: 6, bits: 1 },
          WatchPointsSupported: { offset: 0, type: 'u32', bit: 7, bits: 1 },
          WatchPointsTotalBits: { offset: 0, type: 'u32', bit: 8, bits: 4 },
          DoorbellType: { offset: 0, type: 'u32', bit: 12, bits: 2 },
          AQLQueueDoubleMap: { offset: 0, type: 'u32', bit: 14, bits: 1 },
          DebugTrapSupported: { offset: 0, type: 'u32', bit: 15, bits: 1 },
          WaveLaunchTrapOverrideSupported: { offset: 0, type: 'u32', bit: 16, bits: 1 },
          WaveLaunchModeSupported: { offset: 0, type: 'u32', bit: 17, bits: 1 },
          PreciseMemoryOperationsSupported: { offset: 0, type: 'u32', bit: 18, bits: 1 },
          DEPRECATED_SRAM_EDCSupport: { offset: 0, type: 'u32', bit: 19, bits: 1 },
          Mem_EDCSupport: { offset: 0, type: 'u32', bit: 20, bits: 1 },
          RASEventNotify: { offset: 0, type: 'u32', bit: 21, bits: 1 },
          ASICRevision: { offset: 0, type: 'u32', bit: 22, bits: 4 },
          SRAM_EDCSupport: { offset: 0, type: 'u32', bit: 26, bits: 1 },
          SVMAPISupported: { offset: 0, type: 'u32', bit: 27, bits: 1 },
          CoherentHostAccess: { offset: 0, type: 'u32', bit: 28, bits: 1 },
          DebugSupportedFirmware: { offset: 0, type: 'u32', bit: 29, bits: 1 },
          PreciseALUOperationsSupported: { offset: 0, type: 'u32', bit: 30, bits: 1 },
          PerQueueResetSupported: { offset: 0, type: 'u32', bit: 31, bits: 1 },
        },
      } },
    },
  } },
  Capability2: { offset: 36, type: {
    sizeBytes: 4,
    struct: {
      Value: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          PerSDMAQueueResetSupported: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          Reserved: { offset: 0, type: 'u32', bit: 1, bits: 31 },
        },
      } },
    },
  } },
  MaxWavesPerSIMD: { offset: 40, type: 'u32' },
  LDSSizeInKB: { offset: 44, type: 'u32' },
  GDSSizeInKB: { offset: 48, type: 'u32' },
  WaveFrontSize: { offset: 52, type: 'u32' },
  NumShaderBanks: { offset: 56, type: 'u32' },
  NumArrays: { offset: 60, type: 'u32' },
  NumCUPerArray: { offset: 64, type: 'u32' },
  NumSIMDPerCU: { offset: 68, type: 'u32' },
  MaxSlotsScratchCU: { offset: 72, type: 'u32' },
  EngineId: { offset: 76, type: {
    sizeBytes: 4,
    struct: {
      Value: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          uCode: { offset: 0, type: 'u32', bit: 0, bits: 10 },
          Major: { offset: 0, type: 'u32', bit: 10, bits: 6 },
          Minor: { offset: 0, type: 'u32', bit: 16, bits: 8 },
          Stepping: { offset: 0, type: 'u32', bit: 24, bits: 8 },
        },
      } },
    },
  } },
  OverrideEngineId: { offset: 80, type: {
    sizeBytes: 4,
    struct: {
      Value: { offset: 0, type: 'u32' },
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          uCode: { offset: 0, type: 'u32', bit: 0, bits: 10 },
          Major: { offset: 0, type: 'u32', bit: 10, bits: 6 },
          Minor: { offset: 0, type: 'u32', bit: 16, bits: 8 },
          Stepping: { offset: 0, type: 'u32', bit: 24, bits: 8 },
        },
      } },
    },
  } },
  VendorId: { offset: 84, type: 'u16' },
  DeviceId: { offset: 86, type: 'u16' },
  LocationId: { offset: 88, type: 'u32' },
  LocalMemSize: { offset: 92, type: 'u64' },
  MaxEngineClockMhzFCompute: { offset: 100, type: 'u32' },
  MaxEngineClockMhzCCompute: { offset: 104, type: 'u32' },
  DrmRenderMinor: { offset: 108, type: 'i32' },
  MarketingName: { offset: 112, type: { array: 'u16', length: 64 } },
  AMDName: { offset: 240, type: { array: 'u8', length: 64 } },
  uCodeEngineVersions: { offset: 304, type: {
    sizeBytes: 4,
    struct: {
      Value: { offset: 0, type: 'u32' },
      uCodeSDMA: { offset: 0, type: 'u32', bit: 0, bits: 10 },
      uCodeRes: { offset: 0, type: 'u32', bit: 10, bits: 10 },
      Reserved: { offset: 0, type: 'u32', bit: 20, bits: 12 },
    },
  } },
  DebugProperties: { offset: 308, type: {
    sizeBytes: 8,
    struct: {
      Value: { offset: 0, type: 'u64' },
      WatchAddrMaskLoBit: { offset: 0, type: 'u32', bit: 0, bits: 4 },
      WatchAddrMaskHiBit: { offset: 0, type: 'u32', bit: 4, bits: 6 },
      DispatchInfoAlwaysValid: { offset: 0, type: 'u32', bit: 10, bits: 1 },
      AddressWatchpointShareKind: { offset: 0, type: 'u32', bit: 11, bits: 1 },
      Reserved: { offset: 0, type: 'u64', bit: 12, bits: 52 },
    },
  } },
  HiveID: { offset: 316, type: 'u64' },
  NumSdmaEngines: { offset: 324, type: 'u32' },
  NumSdmaXgmiEngines: { offset: 328, type: 'u32' },
  NumSdmaQueuesPerEngine: { offset: 332, type: 'u8' },
  NumCpQueues: { offset: 333, type: 'u8' },
  NumGws: { offset: 334, type: 'u8' },
  Integrated: { offset: 335, type: 'u8' },
  Domain: { offset: 336, type: 'u32' },
  UniqueID: { offset: 340, type: 'u64' },
  VGPRSizePerCU: { offset: 348, type: 'u32' },
  SGPRSizePerCU: { offset: 352, type: 'u32' },
  NumXcc: { offset: 356, type: 'u32' },
  KFDGpuID: { offset: 360, type: 'u32' },
  FamilyID: { offset: 364, type: 'u32' },
} as const;
export const HsaNodeProperties: StructLayout<typeof HsaNodeProperties_fields> = /* @__PURE__ */ defineStruct('HsaNodeProperties', 368, HsaNodeProperties_fields);

const HsaPcSamplingInfo_fields = {
  value: { offset: 0, type: 'u64' },
  value_min: { offset: 8, type: 'u64' },
  value_max: { offset: 16, type: 'u64' },
  flags: { offset: 24, type: 'u64' },
  method: { offset: 32, type: 'u32' },
  units: { offset: 36, type: 'u32' },
} as const;
export const HsaPcSamplingInfo: StructLayout<typeof HsaPcSamplingInfo_fields> = /* @__PURE__ */ defineStruct('HsaPcSamplingInfo', 40, HsaPcSamplingInfo_fields);

const HsaPmcTraceRoot_fields = {
  TraceBufferMinSizeBytes: { offset: 0, type: 'u64' },
  NumberOfPasses: { offset: 8, type: 'u32' },
  TraceId: { offset: 12, type: 'u64' },
} as const;
export const HsaPmcTraceRoot: StructLayout<typeof HsaPmcTraceRoot_fields> = /* @__PURE__ */ defineStruct('HsaPmcTraceRoot', 20, HsaPmcTraceRoot_fields);

const HsaPointerInfo_fields = {
  Type: { offset: 0, type: 'u32' },
  Node: { offset: 4, type: 'u32' },
  MemFlags: { offset: 8, type: {
    sizeBytes: 4,
    struct: {
      ui32: { offset: 0, type: {
        sizeBytes: 4,
        struct: {
          NonPaged: { offset: 0, type: 'u32', bit: 0, bits: 1 },
          CachePolicy: { offset: 0, type: 'u32', bit: 1, bits: 2 },
          ReadOnly: { offset: 0, type: 'u32', bit: 3, bits: 1 },
          PageSize: { offset: 0, type: 'u32', bit: 4, bits: 2 },
          HostAccess: { offset: 0, type: 'u32', bit: 6, bits: 1 },
          NoSubstitute: { offset: 0, type: 'u32', bit: 7, bits: 1 },
          GDSMemory: { offset: 0, type: 'u32', bit: 8, bits: 1 },
          Scratch: { offset: 0, type: 'u32', bit: 9, bits: 1 },
          AtomicAccessFull: { offset: 0, type: 'u32', bit: 10, bits: 1 },
          AtomicAccessPartial: { offset: 0, type: 'u32', bit: 11, bits: 1 },
          ExecuteAccess: { offset: 0, type: 'u32', bit: 12, bits: 1 },
          CoarseGrain: { offset: 0, type: 'u32', bit: 13, bits: 1 },
          AQLQueueMemory: { offset: 0, type: 'u32', bit: 14, bits: 1 },
          FixedAddress: { offset: 0, type: 'u32', bit: 15, bits: 1 },
          NoNUMABind: { offset: 0, type: 'u32', bit: 16, bits: 1 },
          Uncached: { offset: 0, type: 'u32', bit: 17, bits: 1 },
          NoAddress: { offset: 0, type: 'u32', bit: 18, bits: 1 },
          OnlyAddress: { offset: 0, type: 'u32', bit: 19, bits: 1 },
          ExtendedCoherent: { offset: 0, type: 'u32', bit: 20, bits: 1 },
          GTTAccess: { offset: 0, type: 'u32', bit: 21, bits: 1 },
          Contiguous: { offset: 0, type: 'u32', bit: 22, bits: 1 },
          ExecuteBlit: { offset: 0, type: 'u32', bit: 23, bits: 1 },
          Reserved: { offset: 0, type: 'u32', bit: 24, bits: 8 },
        },
      } },
      Value: { offset: 0, type: 'u32' },
    },
  } },
  CPUAddress: { offset: 12, type: 'u64' },
  GPUAddress: { offset: 20, type: 'u64' },
  SizeInBytes: { offset: 28, type: 'u64' },
  NRegisteredNodes: { offset: 36, type: 'u32' },
  NMappedNodes: { offset: 40, type: 'u32' },
  RegisteredNodes: { offset: 44, type: 'u64' },
  MappedNodes: { offset: 52, type: 'u64' },
  UserData: { offset: 60, type: 'u64' },
} as const;
export const HsaPointerInfo: StructLayout<typeof HsaPointerInfo_fields> = /* @__PURE__ */ defineStruct('HsaPointerInfo', 68, HsaPointerInfo_fields);

const HsaQueueInfo_fields = {
  QueueDetailError: { offset: 0, type: 'u32' },
  QueueTypeExtended: { offset: 4, type: 'u32' },
  NumCUAssigned: { offset: 8, type: 'u32' },
  CUMaskInfo: { offset: 12, type: 'u64' },
  UserContextSaveArea: { offset: 20, type: 'u64' },
  SaveAreaSizeInBytes: { offset: 28, type: 'u64' },
  ControlStackTop: { offset: 36, type: 'u64' },
  ControlStackUsedInBytes: { offset: 44, type: 'u64' },
  SaveAreaHeader: { offset: 52, type: 'u64' },
  Reserved2: { offset: 60, type: 'u64' },
} as const;
export const HsaQueueInfo: StructLayout<typeof HsaQueueInfo_fields> = /* @__PURE__ */ defineStruct('HsaQueueInfo', 68, HsaQueueInfo_fields);

const HsaQueueReport_fields = {
  VMID: { offset: 0, type: 'u32' },
  QueueAddress: { offset: 4, type: 'u64' },
  QueueSize: { offset: 12, type: 'u64' },
} as const;
export const HsaQueueReport: StructLayout<typeof HsaQueueReport_fields> = /* @__PURE__ */ defineStruct('HsaQueueReport', 20, HsaQueueReport_fields);

const HsaQueueResource_fields = {
  QueueId: { offset: 0, type: 'u64' },
  Queue_DoorBell: { offset: 8, type: 'u64' },
  Queue_DoorBell_aql: { offset: 8, type: 'u64' },
  QueueDoorBell: { offset: 8, type: 'u64' },
  Queue_write_ptr: { offset: 16, type: 'u64' },
  Queue_write_ptr_aql: { offset: 16, type: 'u64' },
  QueueWptrValue: { offset: 16, type: 'u64' },
  Queue_read_ptr: { offset: 24, type: 'u64' },
  Queue_read_ptr_aql: { offset: 24, type: 'u64' },
  QueueRptrValue: { offset: 24, type: 'u64' },
  ErrorReason: { offset: 32, type: 'u64' },
} as const;
export const HsaQueueResource: StructLayout<typeof HsaQueueResource_fields> = /* @__PURE__ */ defineStruct('HsaQueueResource', 40, HsaQueueResource_fields);

const HsaSyncVar_fields = {
  SyncVar: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      UserData: { offset: 0, type: 'u64' },
      UserDataPtrValue: { offset: 0, type: 'u64' },
    },
  } },
  SyncVarSize: { offset: 8, type: 'u64' },
} as const;
export const HsaSyncVar: StructLayout<typeof HsaSyncVar_fields> = /* @__PURE__ */ defineStruct('HsaSyncVar', 16, HsaSyncVar_fields);

const HsaSystemProperties_fields = {
  NumNodes: { offset: 0, type: 'u32' },
  PlatformOem: { offset: 4, type: 'u32' },
  PlatformId: { offset: 8, type: 'u32' },
  PlatformRev: { offset: 12, type: 'u32' },
} as const;
export const HsaSystemProperties: StructLayout<typeof HsaSystemProperties_fields> = /* @__PURE__ */ defineStruct('HsaSystemProperties', 16, HsaSystemProperties_fields);

const HsaUserContextSaveAreaHeader_fields = {
  ControlStackOffset: { offset: 0, type: 'u32' },
  ControlStackSize: { offset: 4, type: 'u32' },
  WaveStateOffset: { offset: 8, type: 'u32' },
  WaveStateSize: { offset: 12, type: 'u32' },
  DebugOffset: { offset: 16, type: 'u32' },
  DebugSize: { offset: 20, type: 'u32' },
  ErrorReason: { offset: 24, type: 'u64' },
  ErrorEventId: { offset: 32, type: 'u32' },
  Reserved1: { offset: 36, type: 'u32' },
} as const;
export const HsaUserContextSaveAreaHeader: StructLayout<typeof HsaUserContextSaveAreaHeader_fields> = /* @__PURE__ */ defineStruct('HsaUserContextSaveAreaHeader', 40, HsaUserContextSaveAreaHeader_fields);

const HsaVersionInfo_fields = {
  KernelInterfaceMajorVersion: { offset: 0, type: 'u32' },
  KernelInterfaceMinorVersion: { offset: 4, type: 'u32' },
} as const;
export const HsaVersionInfo: StructLayout<typeof HsaVersionInfo_fields> = /* @__PURE__ */ defineStruct('HsaVersionInfo', 8, HsaVersionInfo_fields);
