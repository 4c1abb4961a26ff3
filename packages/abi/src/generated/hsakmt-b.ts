// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: projects/rocr-runtime/libhsakmt/include/hsakmt/hsakmttypes.h

import type { StructLayout } from '../struct.js';
import { defineLazyStruct } from '../struct.js';

const HSA_CAPABILITY_fields = function () {
  return {
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
};
export const HSA_CAPABILITY: StructLayout<ReturnType<typeof HSA_CAPABILITY_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_CAPABILITY', 4, HSA_CAPABILITY_fields);

const HSA_CAPABILITY2_fields = function () {
  return {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      PerSDMAQueueResetSupported: { offset: 0, type: 'u32', bit: 0, bits: 1 },
      Reserved: { offset: 0, type: 'u32', bit: 1, bits: 31 },
    },
  } },
  } as const;
};
export const HSA_CAPABILITY2: StructLayout<ReturnType<typeof HSA_CAPABILITY2_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_CAPABILITY2', 4, HSA_CAPABILITY2_fields);

const HSA_DEBUG_PROPERTIES_fields = function () {
  return {
  Value: { offset: 0, type: 'u64' },
  WatchAddrMaskLoBit: { offset: 0, type: 'u32', bit: 0, bits: 4 },
  WatchAddrMaskHiBit: { offset: 0, type: 'u32', bit: 4, bits: 6 },
  DispatchInfoAlwaysValid: { offset: 0, type: 'u32', bit: 10, bits: 1 },
  AddressWatchpointShareKind: { offset: 0, type: 'u32', bit: 11, bits: 1 },
  Reserved: { offset: 0, type: 'u64', bit: 12, bits: 52 },
  } as const;
};
export const HSA_DEBUG_PROPERTIES: StructLayout<ReturnType<typeof HSA_DEBUG_PROPERTIES_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_DEBUG_PROPERTIES', 8, HSA_DEBUG_PROPERTIES_fields);

const HSA_ENGINE_ID_fields = function () {
  return {
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
};
export const HSA_ENGINE_ID: StructLayout<ReturnType<typeof HSA_ENGINE_ID_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_ENGINE_ID', 4, HSA_ENGINE_ID_fields);

const HSA_ENGINE_VERSION_fields = function () {
  return {
  Value: { offset: 0, type: 'u32' },
  uCodeSDMA: { offset: 0, type: 'u32', bit: 0, bits: 10 },
  uCodeRes: { offset: 0, type: 'u32', bit: 10, bits: 10 },
  Reserved: { offset: 0, type: 'u32', bit: 20, bits: 12 },
  } as const;
};
export const HSA_ENGINE_VERSION: StructLayout<ReturnType<typeof HSA_ENGINE_VERSION_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_ENGINE_VERSION', 4, HSA_ENGINE_VERSION_fields);

const HSA_LINKPROPERTY_fields = function () {
  return {
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
};
export const HSA_LINKPROPERTY: StructLayout<ReturnType<typeof HSA_LINKPROPERTY_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_LINKPROPERTY', 4, HSA_LINKPROPERTY_fields);

const HSA_MEMORYPROPERTY_fields = function () {
  return {
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
};
export const HSA_MEMORYPROPERTY: StructLayout<ReturnType<typeof HSA_MEMORYPROPERTY_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_MEMORYPROPERTY', 4, HSA_MEMORYPROPERTY_fields);

const HSA_REGISTER_MEM_FLAGS_fields = function () {
  return {
  Value: { offset: 0, type: 'u32' },
  ui32: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      requiresVAddr: { offset: 0, type: 'u32', bit: 0, bits: 1 },
    },
  } },
  } as const;
};
export const HSA_REGISTER_MEM_FLAGS: StructLayout<ReturnType<typeof HSA_REGISTER_MEM_FLAGS_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_REGISTER_MEM_FLAGS', 4, HSA_REGISTER_MEM_FLAGS_fields);

const HSA_SVM_ATTRIBUTE_fields = function () {
  return {
  type: { offset: 0, type: 'u32' },
  value: { offset: 4, type: 'u32' },
  } as const;
};
export const HSA_SVM_ATTRIBUTE: StructLayout<ReturnType<typeof HSA_SVM_ATTRIBUTE_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_SVM_ATTRIBUTE', 8, HSA_SVM_ATTRIBUTE_fields);

const HSA_UUID_fields = function () {
  return {
  Data1: { offset: 0, type: 'u32' },
  Data2: { offset: 4, type: 'u16' },
  Data3: { offset: 6, type: 'u16' },
  Data4: { offset: 8, type: { array: 'u8', length: 8 } },
  } as const;
};
export const HSA_UUID: StructLayout<ReturnType<typeof HSA_UUID_fields>> = /* @__PURE__ */ defineLazyStruct('HSA_UUID', 16, HSA_UUID_fields);

const HsaAccessAttributeFailure_fields = function () {
  return {
  NotPresent: { offset: 0, type: 'u32', bit: 0, bits: 1 },
  ReadOnly: { offset: 0, type: 'u32', bit: 1, bits: 1 },
  NoExecute: { offset: 0, type: 'u32', bit: 2, bits: 1 },
  GpuAccess: { offset: 0, type: 'u32', bit: 3, bits: 1 },
  ECC: { offset: 0, type: 'u32', bit: 4, bits: 1 },
  Imprecise: { offset: 0, type: 'u32', bit: 5, bits: 1 },
  ErrorType: { offset: 0, type: 'u32', bit: 6, bits: 3 },
  Reserved: { offset: 0, type: 'u32', bit: 9, bits: 23 },
  } as const;
};
export const HsaAccessAttributeFailure: StructLayout<ReturnType<typeof HsaAccessAttributeFailure_fields>> = /* @__PURE__ */ defineLazyStruct('HsaAccessAttributeFailure', 4, HsaAccessAttributeFailure_fields);

const HsaCComputeProperties_fields = function () {
  return {
  SiblingMap: { offset: 0, type: { array: 'u32', length: 256 } },
  } as const;
};
export const HsaCComputeProperties: StructLayout<ReturnType<typeof HsaCComputeProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCComputeProperties', 1024, HsaCComputeProperties_fields);

const HsaCacheProperties_fields = function () {
  return {
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
};
export const HsaCacheProperties: StructLayout<ReturnType<typeof HsaCacheProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCacheProperties', 1056, HsaCacheProperties_fields);

const HsaCacheType_fields = function () {
  return {
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
};
export const HsaCacheType: StructLayout<ReturnType<typeof HsaCacheType_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCacheType', 4, HsaCacheType_fields);

const HsaClockCounters_fields = function () {
  return {
  GPUClockCounter: { offset: 0, type: 'u64' },
  CPUClockCounter: { offset: 8, type: 'u64' },
  SystemClockCounter: { offset: 16, type: 'u64' },
  SystemClockFrequencyHz: { offset: 24, type: 'u64' },
  } as const;
};
export const HsaClockCounters: StructLayout<ReturnType<typeof HsaClockCounters_fields>> = /* @__PURE__ */ defineLazyStruct('HsaClockCounters', 32, HsaClockCounters_fields);

const HsaCounter_fields = function () {
  return {
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
};
export const HsaCounter: StructLayout<ReturnType<typeof HsaCounter_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCounter', 32, HsaCounter_fields);

const HsaCounterBlockProperties_fields = function () {
  return {
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
};
export const HsaCounterBlockProperties: StructLayout<ReturnType<typeof HsaCounterBlockProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCounterBlockProperties', 56, HsaCounterBlockProperties_fields);

const HsaCounterFlags_fields = function () {
  return {
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
};
export const HsaCounterFlags: StructLayout<ReturnType<typeof HsaCounterFlags_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCounterFlags', 4, HsaCounterFlags_fields);

const HsaCounterProperties_fields = function () {
  return {
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
};
export const HsaCounterProperties: StructLayout<ReturnType<typeof HsaCounterProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaCounterProperties', 64, HsaCounterProperties_fields);

const HsaDbgWaveMessage_fields = function () {
  return {
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
};
export const HsaDbgWaveMessage: StructLayout<ReturnType<typeof HsaDbgWaveMessage_fields>> = /* @__PURE__ */ defineLazyStruct('HsaDbgWaveMessage', 16, HsaDbgWaveMessage_fields);

const HsaDbgWaveMessageAMD_fields = function () {
  return {
  WaveMsgInfoGen2: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      Value: { offset: 0, type: 'u32' },
      Reserved2: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const HsaDbgWaveMessageAMD: StructLayout<ReturnType<typeof HsaDbgWaveMessageAMD_fields>> = /* @__PURE__ */ defineLazyStruct('HsaDbgWaveMessageAMD', 8, HsaDbgWaveMessageAMD_fields);

const HsaDbgWaveMsgAMDGen2_fields = function () {
  return {
  Value: { offset: 0, type: 'u32' },
  Reserved2: { offset: 4, type: 'u32' },
  } as const;
};
export const HsaDbgWaveMsgAMDGen2: StructLayout<ReturnType<typeof HsaDbgWaveMsgAMDGen2_fields>> = /* @__PURE__ */ defineLazyStruct('HsaDbgWaveMsgAMDGen2', 8, HsaDbgWaveMsgAMDGen2_fields);

const HsaDeviceStateChange_fields = function () {
  return {
  NodeId: { offset: 0, type: 'u32' },
  Device: { offset: 4, type: 'u32' },
  Flags: { offset: 8, type: 'u32' },
  } as const;
};
export const HsaDeviceStateChange: StructLayout<ReturnType<typeof HsaDeviceStateChange_fields>> = /* @__PURE__ */ defineLazyStruct('HsaDeviceStateChange', 12, HsaDeviceStateChange_fields);

const HsaEvent_fields = function () {
  return {
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
};
export const HsaEvent: StructLayout<ReturnType<typeof HsaEvent_fields>> = /* @__PURE__ */ defineLazyStruct('HsaEvent', 48, HsaEvent_fields);

const HsaEventData_fields = function () {
  return {
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
};
export const HsaEventData: StructLayout<ReturnType<typeof HsaEventData_fields>> = /* @__PURE__ */ defineLazyStruct('HsaEventData', 44, HsaEventData_fields);

const HsaEventDescriptor_fields = function () {
  return {
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
};
export const HsaEventDescriptor: StructLayout<ReturnType<typeof HsaEventDescriptor_fields>> = /* @__PURE__ */ defineLazyStruct('HsaEventDescriptor', 24, HsaEventDescriptor_fields);

const HsaGpuTileConfig_fields = function () {
  return {
  TileConfig: { offset: 0, type: 'u64' },
  MacroTileConfig: { offset: 8, type: 'u64' },
  NumTileConfigs: { offset: 16, type: 'u32' },
  NumMacroTileConfigs: { offset: 20, type: 'u32' },
  GbAddrConfig: { offset: 24, type: 'u32' },
  NumBanks: { offset: 28, type: 'u32' },
  NumRanks: { offset: 32, type: 'u32' },
  Reserved: { offset: 36, type: { array: 'u32', length: 7 } },
  } as const;
};
export const HsaGpuTileConfig: StructLayout<ReturnType<typeof HsaGpuTileConfig_fields>> = /* @__PURE__ */ defineLazyStruct('HsaGpuTileConfig', 64, HsaGpuTileConfig_fields);

const HsaGraphicsResourceInfo_fields = function () {
  return {
  MemoryAddress: { offset: 0, type: 'u64' },
  SizeInBytes: { offset: 8, type: 'u64' },
  Metadata: { offset: 16, type: 'u64' },
  MetadataSizeInBytes: { offset: 24, type: 'u32' },
  NodeId: { offset: 28, type: 'u32' },
  } as const;
};
export const HsaGraphicsResourceInfo: StructLayout<ReturnType<typeof HsaGraphicsResourceInfo_fields>> = /* @__PURE__ */ defineLazyStruct('HsaGraphicsResourceInfo', 32, HsaGraphicsResourceInfo_fields);

const HsaHwException_fields = function () {
  return {
  NodeId: { offset: 0, type: 'u32' },
  ResetType: { offset: 4, type: 'u32' },
  MemoryLost: { offset: 8, type: 'u32' },
  ResetCause: { offset: 12, type: 'u32' },
  } as const;
};
export const HsaHwException: StructLayout<ReturnType<typeof HsaHwException_fields>> = /* @__PURE__ */ defineLazyStruct('HsaHwException', 16, HsaHwException_fields);

const HsaIoLinkProperties_fields = function () {
  return {
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
};
export const HsaIoLinkProperties: StructLayout<ReturnType<typeof HsaIoLinkProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaIoLinkProperties', 52, HsaIoLinkProperties_fields);

const HsaMemFlags_fields = function () {
  return {
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
};
export const HsaMemFlags: StructLayout<ReturnType<typeof HsaMemFlags_fields>> = /* @__PURE__ */ defineLazyStruct('HsaMemFlags', 4, HsaMemFlags_fields);

const HsaMemMapFlags_fields = function () {
  return {
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
};
export const HsaMemMapFlags: StructLayout<ReturnType<typeof HsaMemMapFlags_fields>> = /* @__PURE__ */ defineLazyStruct('HsaMemMapFlags', 4, HsaMemMapFlags_fields);

const HsaMemoryAccessFault_fields = function () {
  return {
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
};
export const HsaMemoryAccessFault: StructLayout<ReturnType<typeof HsaMemoryAccessFault_fields>> = /* @__PURE__ */ defineLazyStruct('HsaMemoryAccessFault', 20, HsaMemoryAccessFault_fields);

const HsaMemoryProperties_fields = function () {
  return {
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
};
export const HsaMemoryProperties: StructLayout<ReturnType<typeof HsaMemoryProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaMemoryProperties', 32, HsaMemoryProperties_fields);

const HsaMemoryRange_fields = function () {
  return {
  MemoryAddress: { offset: 0, type: 'u64' },
  SizeInBytes: { offset: 8, type: 'u64' },
  } as const;
};
export const HsaMemoryRange: StructLayout<ReturnType<typeof HsaMemoryRange_fields>> = /* @__PURE__ */ defineLazyStruct('HsaMemoryRange', 16, HsaMemoryRange_fields);

const HsaNodeChange_fields = function () {
  return {
  Flags: { offset: 0, type: 'u32' },
  } as const;
};
export const HsaNodeChange: StructLayout<ReturnType<typeof HsaNodeChange_fields>> = /* @__PURE__ */ defineLazyStruct('HsaNodeChange', 4, HsaNodeChange_fields);

const HsaNodeProperties_fields = function () {
  return {
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
};
export const HsaNodeProperties: StructLayout<ReturnType<typeof HsaNodeProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaNodeProperties', 368, HsaNodeProperties_fields);

const HsaPcSamplingInfo_fields = function () {
  return {
  value: { offset: 0, type: 'u64' },
  value_min: { offset: 8, type: 'u64' },
  value_max: { offset: 16, type: 'u64' },
  flags: { offset: 24, type: 'u64' },
  method: { offset: 32, type: 'u32' },
  units: { offset: 36, type: 'u32' },
  } as const;
};
export const HsaPcSamplingInfo: StructLayout<ReturnType<typeof HsaPcSamplingInfo_fields>> = /* @__PURE__ */ defineLazyStruct('HsaPcSamplingInfo', 40, HsaPcSamplingInfo_fields);

const HsaPmcTraceRoot_fields = function () {
  return {
  TraceBufferMinSizeBytes: { offset: 0, type: 'u64' },
  NumberOfPasses: { offset: 8, type: 'u32' },
  TraceId: { offset: 12, type: 'u64' },
  } as const;
};
export const HsaPmcTraceRoot: StructLayout<ReturnType<typeof HsaPmcTraceRoot_fields>> = /* @__PURE__ */ defineLazyStruct('HsaPmcTraceRoot', 20, HsaPmcTraceRoot_fields);

const HsaPointerInfo_fields = function () {
  return {
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
};
export const HsaPointerInfo: StructLayout<ReturnType<typeof HsaPointerInfo_fields>> = /* @__PURE__ */ defineLazyStruct('HsaPointerInfo', 68, HsaPointerInfo_fields);

const HsaQueueInfo_fields = function () {
  return {
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
};
export const HsaQueueInfo: StructLayout<ReturnType<typeof HsaQueueInfo_fields>> = /* @__PURE__ */ defineLazyStruct('HsaQueueInfo', 68, HsaQueueInfo_fields);

const HsaQueueReport_fields = function () {
  return {
  VMID: { offset: 0, type: 'u32' },
  QueueAddress: { offset: 4, type: 'u64' },
  QueueSize: { offset: 12, type: 'u64' },
  } as const;
};
export const HsaQueueReport: StructLayout<ReturnType<typeof HsaQueueReport_fields>> = /* @__PURE__ */ defineLazyStruct('HsaQueueReport', 20, HsaQueueReport_fields);

const HsaQueueResource_fields = function () {
  return {
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
};
export const HsaQueueResource: StructLayout<ReturnType<typeof HsaQueueResource_fields>> = /* @__PURE__ */ defineLazyStruct('HsaQueueResource', 40, HsaQueueResource_fields);

const HsaSyncVar_fields = function () {
  return {
  SyncVar: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      UserData: { offset: 0, type: 'u64' },
      UserDataPtrValue: { offset: 0, type: 'u64' },
    },
  } },
  SyncVarSize: { offset: 8, type: 'u64' },
  } as const;
};
export const HsaSyncVar: StructLayout<ReturnType<typeof HsaSyncVar_fields>> = /* @__PURE__ */ defineLazyStruct('HsaSyncVar', 16, HsaSyncVar_fields);

const HsaSystemProperties_fields = function () {
  return {
  NumNodes: { offset: 0, type: 'u32' },
  PlatformOem: { offset: 4, type: 'u32' },
  PlatformId: { offset: 8, type: 'u32' },
  PlatformRev: { offset: 12, type: 'u32' },
  } as const;
};
export const HsaSystemProperties: StructLayout<ReturnType<typeof HsaSystemProperties_fields>> = /* @__PURE__ */ defineLazyStruct('HsaSystemProperties', 16, HsaSystemProperties_fields);

const HsaUserContextSaveAreaHeader_fields = function () {
  return {
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
};
export const HsaUserContextSaveAreaHeader: StructLayout<ReturnType<typeof HsaUserContextSaveAreaHeader_fields>> = /* @__PURE__ */ defineLazyStruct('HsaUserContextSaveAreaHeader', 40, HsaUserContextSaveAreaHeader_fields);

const HsaVersionInfo_fields = function () {
  return {
  KernelInterfaceMajorVersion: { offset: 0, type: 'u32' },
  KernelInterfaceMinorVersion: { offset: 4, type: 'u32' },
  } as const;
};
export const HsaVersionInfo: StructLayout<ReturnType<typeof HsaVersionInfo_fields>> = /* @__PURE__ */ defineLazyStruct('HsaVersionInfo', 8, HsaVersionInfo_fields);
