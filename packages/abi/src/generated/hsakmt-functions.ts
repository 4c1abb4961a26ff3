// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: hsakmt.h of libhsakmt-dev 5.2.3+dfsg-1 and of ROCm, August 2025

export const HSAKMT_FUNCTIONS = {
  hsaKmtAcquireSystemProperties: {
    generations: ['A', 'B'],
    params: [
      { name: 'SystemProperties', cType: 'HsaSystemProperties*', kind: 'pointer', to: 'struct', struct: 'HsaSystemProperties' },
    ],
  },
  hsaKmtAllocMemory: {
    generations: ['A', 'B'],
    params: [
      { name: 'PreferredNode', cType: 'HSAuint32', kind: 'u32' },
      { name: 'SizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'MemFlags', cType: 'HsaMemFlags', kind: 'u32' },
      { name: 'MemoryAddress', cType: 'void* *', kind: 'pointer', to: 'pointer' },
    ],
  },
  hsaKmtAllocMemoryAlign: {
    generations: ['B'],
    params: [
      { name: 'PreferredNode', cType: 'HSAuint32', kind: 'u32' },
      { name: 'SizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'Alignment', cType: 'HSAuint64', kind: 'u64' },
      { name: 'MemFlags', cType: 'HsaMemFlags', kind: 'u32' },
      { name: 'MemoryAddress', cType: 'void* *', kind: 'pointer', to: 'pointer' },
    ],
  },
  hsaKmtAllocQueueGWS: {
    generations: ['A', 'B'],
    params: [
      { name: 'QueueId', cType: 'HSA_QUEUEID', kind: 'u64' },
      { name: 'nGWS', cType: 'HSAuint32', kind: 'u32' },
      { name: 'firstGWS', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtAvailableMemory: {
    generations: ['B'],
    params: [
      { name: 'Node', cType: 'HSAuint32', kind: 'u32' },
      { name: 'AvailableBytes', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtCheckRuntimeDebugSupport: {
    generations: ['B'],
    params: [],
  },
  hsaKmtCloseKFD: {
    generations: ['A', 'B'],
    params: [],
  },
  hsaKmtCreateEvent: {
    generations: ['A', 'B'],
    params: [
      { name: 'EventDesc', cType: 'HsaEventDescriptor*', kind: 'pointer', to: 'struct', struct: 'HsaEventDescriptor' },
      { name: 'ManualReset', cType: 'bool', kind: 'bool' },
      { name: 'IsSignaled', cType: 'bool', kind: 'bool' },
      { name: 'Event', cType: 'HsaEvent* *', kind: 'pointer', to: 'pointer' },
    ],
  },
  hsaKmtCreateQueue: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Type', cType: 'HSA_QUEUE_TYPE', kind: 'u32' },
      { name: 'QueuePercentage', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Priority', cType: 'HSA_QUEUE_PRIORITY', kind: 'i64' },
      { name: 'QueueAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'QueueSizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
      { name: 'QueueResource', cType: 'HsaQueueResource*', kind: 'pointer', to: 'struct', struct: 'HsaQueueResource' },
    ],
  },
  hsaKmtCreateQueueExt: {
    generations: [],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Type', cType: 'HSA_QUEUE_TYPE', kind: 'u32' },
      { name: 'QueuePercentage', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Priority', cType: 'HSA_QUEUE_PRIORITY', kind: 'i64' },
      { name: 'SdmaEngineId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'QueueAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'QueueSizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
      { name: 'QueueResource', cType: 'HsaQueueResource*', kind: 'pointer', to: 'struct', struct: 'HsaQueueResource' },
    ],
  },
  hsaKmtDbgAddressWatch: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'NumWatchPoints', cType: 'HSAuint32', kind: 'u32' },
      { name: 'WatchMode', cType: 'HSA_DBG_WATCH_MODE *', kind: 'pointer', to: 'u32' },
      { name: 'WatchAddress', cType: 'void* *', kind: 'pointer', to: 'pointer' },
      { name: 'WatchMask', cType: 'HSAuint64 *', kind: 'pointer', to: 'u64' },
      { name: 'WatchEvent', cType: 'HsaEvent* *', kind: 'pointer', to: 'pointer' },
    ],
  },
  hsaKmtDbgDisable: {
    generations: ['B'],
    params: [],
  },
  hsaKmtDbgEnable: {
    generations: ['B'],
    params: [
      { name: 'runtime_info', cType: 'void* *', kind: 'pointer', to: 'pointer' },
      { name: 'data_size', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtDbgGetDeviceData: {
    generations: ['B'],
    params: [
      { name: 'data', cType: 'void* *', kind: 'pointer', to: 'pointer' },
      { name: 'n_entries', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'entry_size', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtDbgGetQueueData: {
    generations: ['B'],
    params: [
      { name: 'data', cType: 'void* *', kind: 'pointer', to: 'pointer' },
      { name: 'n_entries', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'entry_size', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'suspend_queues', cType: 'bool', kind: 'bool' },
    ],
  },
  hsaKmtDbgRegister: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
    ],
  },
  hsaKmtDbgUnregister: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
    ],
  },
  hsaKmtDbgWavefrontControl: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Operand', cType: 'HSA_DBG_WAVEOP', kind: 'u32' },
      { name: 'Mode', cType: 'HSA_DBG_WAVEMODE', kind: 'u32' },
      { name: 'TrapId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'DbgWaveMsgRing', cType: 'HsaDbgWaveMessage*', kind: 'pointer', to: 'struct', struct: 'HsaDbgWaveMessage' },
    ],
  },
  hsaKmtDebugTrapIoctl: {
    generations: ['B'],
    params: [
      { name: 'arg', cType: 'struct kfd_ioctl_dbg_trap_args*', kind: 'pointer', to: 'void' },
      { name: 'Queues', cType: 'HSA_QUEUEID*', kind: 'pointer', to: 'u64' },
      { name: 'DebugReturn', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtDeregisterMemory: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
    ],
  },
  hsaKmtDestroyEvent: {
    generations: ['A', 'B'],
    params: [
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
    ],
  },
  hsaKmtDestroyQueue: {
    generations: ['A', 'B'],
    params: [
      { name: 'QueueId', cType: 'HSA_QUEUEID', kind: 'u64' },
    ],
  },
  hsaKmtExportDMABufHandle: {
    generations: ['B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'DMABufFd', cType: 'int*', kind: 'pointer', to: 'i32' },
      { name: 'Offset', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtFreeMemory: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'SizeInBytes', cType: 'HSAuint64', kind: 'u64' },
    ],
  },
  hsaKmtGetAMDGPUDeviceHandle: {
    generations: ['B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'DeviceHandle', cType: 'HsaAMDGPUDeviceHandle*', kind: 'pointer', to: 'pointer' },
    ],
  },
  hsaKmtGetClockCounters: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Counters', cType: 'HsaClockCounters*', kind: 'pointer', to: 'struct', struct: 'HsaClockCounters' },
    ],
  },
  hsaKmtGetKernelDebugTrapVersionInfo: {
    generations: ['A'],
    params: [
      { name: 'Major', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'Minor', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtGetNodeCacheProperties: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'ProcessorId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'NumCaches', cType: 'HSAuint32', kind: 'u32' },
      { name: 'CacheProperties', cType: 'HsaCacheProperties*', kind: 'pointer', to: 'struct', struct: 'HsaCacheProperties' },
    ],
  },
  hsaKmtGetNodeIoLinkProperties: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'NumIoLinks', cType: 'HSAuint32', kind: 'u32' },
      { name: 'IoLinkProperties', cType: 'HsaIoLinkProperties*', kind: 'pointer', to: 'struct', struct: 'HsaIoLinkProperties' },
    ],
  },
  hsaKmtGetNodeMemoryProperties: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'NumBanks', cType: 'HSAuint32', kind: 'u32' },
      { name: 'MemoryProperties', cType: 'HsaMemoryProperties*', kind: 'pointer', to: 'struct', struct: 'HsaMemoryProperties' },
    ],
  },
  hsaKmtGetNodeProperties: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'NodeProperties', cType: 'HsaNodeProperties*', kind: 'pointer', to: 'struct', struct: 'HsaNodeProperties' },
    ],
  },
  hsaKmtGetQueueInfo: {
    generations: ['A', 'B'],
    params: [
      { name: 'QueueId', cType: 'HSA_QUEUEID', kind: 'u64' },
      { name: 'QueueInfo', cType: 'HsaQueueInfo*', kind: 'pointer', to: 'struct', struct: 'HsaQueueInfo' },
    ],
  },
  hsaKmtGetRuntimeCapabilities: {
    generations: ['B'],
    params: [
      { name: 'caps_mask', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtGetTileConfig: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'config', cType: 'HsaGpuTileConfig*', kind: 'pointer', to: 'struct', struct: 'HsaGpuTileConfig' },
    ],
  },
  hsaKmtGetVersion: {
    generations: ['A', 'B'],
    params: [
      { name: 'VersionInfo', cType: 'HsaVersionInfo*', kind: 'pointer', to: 'struct', struct: 'HsaVersionInfo' },
    ],
  },
  hsaKmtGetXNACKMode: {
    generations: ['A', 'B'],
    params: [
      { name: 'enable', cType: 'HSAint32*', kind: 'pointer', to: 'i32' },
    ],
  },
  hsaKmtMapGraphicHandle: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'GraphicDeviceHandle', cType: 'HSAuint64', kind: 'u64' },
      { name: 'GraphicResourceHandle', cType: 'HSAuint64', kind: 'u64' },
      { name: 'GraphicResourceOffset', cType: 'HSAuint64', kind: 'u64' },
      { name: 'GraphicResourceSize', cType: 'HSAuint64', kind: 'u64' },
      { name: 'FlatMemoryAddress', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtMapMemoryToGPU: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'AlternateVAGPU', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtMapMemoryToGPUNodes: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'AlternateVAGPU', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
      { name: 'MemMapFlags', cType: 'HsaMemMapFlags', kind: 'u32' },
      { name: 'NumberOfNodes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'NodeArray', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtModelEnabled: {
    generations: [],
    params: [
      { name: 'enable', cType: 'bool*', kind: 'pointer', to: 'bool' },
    ],
  },
  hsaKmtOpenKFD: {
    generations: ['A', 'B'],
    params: [],
  },
  hsaKmtOpenSMI: {
    generations: ['B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'fd', cType: 'int*', kind: 'pointer', to: 'i32' },
    ],
  },
  hsaKmtPcSamplingCreate: {
    generations: ['B'],
    params: [
      { name: 'node_id', cType: 'HSAuint32', kind: 'u32' },
      { name: 'sample_info', cType: 'HsaPcSamplingInfo*', kind: 'pointer', to: 'struct', struct: 'HsaPcSamplingInfo' },
      { name: 'traceId', cType: 'HsaPcSamplingTraceId*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtPcSamplingDestroy: {
    generations: ['B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'traceId', cType: 'HsaPcSamplingTraceId', kind: 'u32' },
    ],
  },
  hsaKmtPcSamplingQueryCapabilities: {
    generations: ['B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'sample_info', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'sample_info_sz', cType: 'HSAuint32', kind: 'u32' },
      { name: 'sz_needed', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtPcSamplingStart: {
    generations: ['B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'traceId', cType: 'HsaPcSamplingTraceId', kind: 'u32' },
    ],
  },
  hsaKmtPcSamplingStop: {
    generations: ['B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'traceId', cType: 'HsaPcSamplingTraceId', kind: 'u32' },
    ],
  },
  hsaKmtPcSamplingSupport: {
    generations: ['B'],
    params: [],
  },
  hsaKmtPmcAcquireTraceAccess: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'TraceId', cType: 'HSATraceId', kind: 'u64' },
    ],
  },
  hsaKmtPmcGetCounterProperties: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'CounterProperties', cType: 'HsaCounterProperties* *', kind: 'pointer', to: 'pointer' },
    ],
  },
  hsaKmtPmcQueryTrace: {
    generations: ['A', 'B'],
    params: [
      { name: 'TraceId', cType: 'HSATraceId', kind: 'u64' },
    ],
  },
  hsaKmtPmcRegisterTrace: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'NumberOfCounters', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Counters', cType: 'HsaCounter*', kind: 'pointer', to: 'struct', struct: 'HsaCounter' },
      { name: 'TraceRoot', cType: 'HsaPmcTraceRoot*', kind: 'pointer', to: 'struct', struct: 'HsaPmcTraceRoot' },
    ],
  },
  hsaKmtPmcReleaseTraceAccess: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'TraceId', cType: 'HSATraceId', kind: 'u64' },
    ],
  },
  hsaKmtPmcStartTrace: {
    generations: ['A', 'B'],
    params: [
      { name: 'TraceId', cType: 'HSATraceId', kind: 'u64' },
      { name: 'TraceBuffer', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'TraceBufferSizeBytes', cType: 'HSAuint64', kind: 'u64' },
    ],
  },
  hsaKmtPmcStopTrace: {
    generations: ['A', 'B'],
    params: [
      { name: 'TraceId', cType: 'HSATraceId', kind: 'u64' },
    ],
  },
  hsaKmtPmcUnregisterTrace: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'TraceId', cType: 'HSATraceId', kind: 'u64' },
    ],
  },
  hsaKmtProcessVMRead: {
    generations: ['A', 'B'],
    params: [
      { name: 'Pid', cType: 'HSAuint32', kind: 'u32' },
      { name: 'LocalMemoryArray', cType: 'HsaMemoryRange*', kind: 'pointer', to: 'struct', struct: 'HsaMemoryRange' },
      { name: 'LocalMemoryArrayCount', cType: 'HSAuint64', kind: 'u64' },
      { name: 'RemoteMemoryArray', cType: 'HsaMemoryRange*', kind: 'pointer', to: 'struct', struct: 'HsaMemoryRange' },
      { name: 'RemoteMemoryArrayCount', cType: 'HSAuint64', kind: 'u64' },
      { name: 'SizeCopied', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtProcessVMWrite: {
    generations: ['A', 'B'],
    params: [
      { name: 'Pid', cType: 'HSAuint32', kind: 'u32' },
      { name: 'LocalMemoryArray', cType: 'HsaMemoryRange*', kind: 'pointer', to: 'struct', struct: 'HsaMemoryRange' },
      { name: 'LocalMemoryArrayCount', cType: 'HSAuint64', kind: 'u64' },
      { name: 'RemoteMemoryArray', cType: 'HsaMemoryRange*', kind: 'pointer', to: 'struct', struct: 'HsaMemoryRange' },
      { name: 'RemoteMemoryArrayCount', cType: 'HSAuint64', kind: 'u64' },
      { name: 'SizeCopied', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtQueryEventState: {
    generations: ['A', 'B'],
    params: [
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
    ],
  },
  hsaKmtQueryPointerInfo: {
    generations: ['A', 'B'],
    params: [
      { name: 'Pointer', cType: 'const void*', kind: 'pointer', to: 'void' },
      { name: 'PointerInfo', cType: 'HsaPointerInfo*', kind: 'pointer', to: 'struct', struct: 'HsaPointerInfo' },
    ],
  },
  hsaKmtRegisterGraphicsHandleToNodes: {
    generations: ['A', 'B'],
    params: [
      { name: 'GraphicsResourceHandle', cType: 'HSAuint64', kind: 'u64' },
      { name: 'GraphicsResourceInfo', cType: 'HsaGraphicsResourceInfo*', kind: 'pointer', to: 'struct', struct: 'HsaGraphicsResourceInfo' },
      { name: 'NumberOfNodes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'NodeArray', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtRegisterGraphicsHandleToNodesExt: {
    generations: [],
    params: [
      { name: 'GraphicsResourceHandle', cType: 'HSAuint64', kind: 'u64' },
      { name: 'GraphicsResourceInfo', cType: 'HsaGraphicsResourceInfo*', kind: 'pointer', to: 'struct', struct: 'HsaGraphicsResourceInfo' },
      { name: 'NumberOfNodes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'NodeArray', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'RegisterFlags', cType: 'HSA_REGISTER_MEM_FLAGS', kind: 'u32' },
    ],
  },
  hsaKmtRegisterMemory: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
    ],
  },
  hsaKmtRegisterMemoryToNodes: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'NumberOfNodes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'NodeArray', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtRegisterMemoryWithFlags: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'MemFlags', cType: 'HsaMemFlags', kind: 'u32' },
    ],
  },
  hsaKmtRegisterSharedHandle: {
    generations: ['A', 'B'],
    params: [
      { name: 'SharedMemoryHandle', cType: 'const HsaSharedMemoryHandle*', kind: 'pointer', to: 'u32', count: 8 },
      { name: 'MemoryAddress', cType: 'void* *', kind: 'pointer', to: 'pointer' },
      { name: 'SizeInBytes', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtRegisterSharedHandleToNodes: {
    generations: ['A', 'B'],
    params: [
      { name: 'SharedMemoryHandle', cType: 'const HsaSharedMemoryHandle*', kind: 'pointer', to: 'u32', count: 8 },
      { name: 'MemoryAddress', cType: 'void* *', kind: 'pointer', to: 'pointer' },
      { name: 'SizeInBytes', cType: 'HSAuint64*', kind: 'pointer', to: 'u64' },
      { name: 'NumberOfNodes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'NodeArray', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtReleaseSystemProperties: {
    generations: ['A', 'B'],
    params: [],
  },
  hsaKmtReplaceAsanHeaderPage: {
    generations: ['B'],
    params: [
      { name: 'addr', cType: 'void*', kind: 'pointer', to: 'void' },
    ],
  },
  hsaKmtReportQueue: {
    generations: [],
    params: [
      { name: 'QueueId', cType: 'HSA_QUEUEID', kind: 'u64' },
      { name: 'QueueReport', cType: 'HsaQueueReport*', kind: 'pointer', to: 'struct', struct: 'HsaQueueReport' },
    ],
  },
  hsaKmtResetEvent: {
    generations: ['A', 'B'],
    params: [
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
    ],
  },
  hsaKmtReturnAsanHeaderPage: {
    generations: ['B'],
    params: [
      { name: 'addr', cType: 'void*', kind: 'pointer', to: 'void' },
    ],
  },
  hsaKmtRuntimeDisable: {
    generations: ['A', 'B'],
    params: [],
  },
  hsaKmtRuntimeEnable: {
    generations: ['A', 'B'],
    params: [
      { name: 'rDebug', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'setupTtmp', cType: 'bool', kind: 'bool' },
    ],
  },
  hsaKmtSPMAcquire: {
    generations: ['A', 'B'],
    params: [
      { name: 'PreferredNode', cType: 'HSAuint32', kind: 'u32' },
    ],
  },
  hsaKmtSPMRelease: {
    generations: ['A', 'B'],
    params: [
      { name: 'PreferredNode', cType: 'HSAuint32', kind: 'u32' },
    ],
  },
  hsaKmtSPMSetDestBuffer: {
    generations: ['A', 'B'],
    params: [
      { name: 'PreferredNode', cType: 'HSAuint32', kind: 'u32' },
      { name: 'SizeInBytes', cType: 'HSAuint32', kind: 'u32' },
      { name: 'timeout', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'SizeCopied', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
      { name: 'DestMemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'isSPMDataLoss', cType: 'bool*', kind: 'pointer', to: 'bool' },
    ],
  },
  hsaKmtSVMGetAttr: {
    generations: ['A', 'B'],
    params: [
      { name: 'start_addr', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'size', cType: 'HSAuint64', kind: 'u64' },
      { name: 'nattr', cType: 'unsigned int', kind: 'u32' },
      { name: 'attrs', cType: 'HSA_SVM_ATTRIBUTE*', kind: 'pointer', to: 'struct', struct: 'HSA_SVM_ATTRIBUTE' },
    ],
  },
  hsaKmtSVMSetAttr: {
    generations: ['A', 'B'],
    params: [
      { name: 'start_addr', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'size', cType: 'HSAuint64', kind: 'u64' },
      { name: 'nattr', cType: 'unsigned int', kind: 'u32' },
      { name: 'attrs', cType: 'HSA_SVM_ATTRIBUTE*', kind: 'pointer', to: 'struct', struct: 'HSA_SVM_ATTRIBUTE' },
    ],
  },
  hsaKmtSetEvent: {
    generations: ['A', 'B'],
    params: [
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
    ],
  },
  hsaKmtSetMemoryPolicy: {
    generations: ['A', 'B'],
    params: [
      { name: 'Node', cType: 'HSAuint32', kind: 'u32' },
      { name: 'DefaultPolicy', cType: 'HSAuint32', kind: 'u32' },
      { name: 'AlternatePolicy', cType: 'HSAuint32', kind: 'u32' },
      { name: 'MemoryAddressAlternate', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'MemorySizeInBytes', cType: 'HSAuint64', kind: 'u64' },
    ],
  },
  hsaKmtSetMemoryUserData: {
    generations: ['A', 'B'],
    params: [
      { name: 'Pointer', cType: 'const void*', kind: 'pointer', to: 'void' },
      { name: 'UserData', cType: 'void*', kind: 'pointer', to: 'void' },
    ],
  },
  hsaKmtSetQueueCUMask: {
    generations: ['A', 'B'],
    params: [
      { name: 'QueueId', cType: 'HSA_QUEUEID', kind: 'u64' },
      { name: 'CUMaskCount', cType: 'HSAuint32', kind: 'u32' },
      { name: 'QueueCUMask', cType: 'HSAuint32*', kind: 'pointer', to: 'u32' },
    ],
  },
  hsaKmtSetTrapHandler: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'TrapHandlerBaseAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'TrapHandlerSizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'TrapBufferBaseAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'TrapBufferSizeInBytes', cType: 'HSAuint64', kind: 'u64' },
    ],
  },
  hsaKmtSetXNACKMode: {
    generations: ['A', 'B'],
    params: [
      { name: 'enable', cType: 'HSAint32', kind: 'i32' },
    ],
  },
  hsaKmtShareMemory: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'SizeInBytes', cType: 'HSAuint64', kind: 'u64' },
      { name: 'SharedMemoryHandle', cType: 'HsaSharedMemoryHandle*', kind: 'pointer', to: 'u32', count: 8 },
    ],
  },
  hsaKmtUnmapGraphicHandle: {
    generations: ['A', 'B'],
    params: [
      { name: 'NodeId', cType: 'HSAuint32', kind: 'u32' },
      { name: 'FlatMemoryAddress', cType: 'HSAuint64', kind: 'u64' },
      { name: 'SizeInBytes', cType: 'HSAuint64', kind: 'u64' },
    ],
  },
  hsaKmtUnmapMemoryToGPU: {
    generations: ['A', 'B'],
    params: [
      { name: 'MemoryAddress', cType: 'void*', kind: 'pointer', to: 'void' },
    ],
  },
  hsaKmtUpdateQueue: {
    generations: ['A', 'B'],
    params: [
      { name: 'QueueId', cType: 'HSA_QUEUEID', kind: 'u64' },
      { name: 'QueuePercentage', cType: 'HSAuint32', kind: 'u32' },
      { name: 'Priority', cType: 'HSA_QUEUE_PRIORITY', kind: 'i64' },
      { name: 'QueueAddress', cType: 'void*', kind: 'pointer', to: 'void' },
      { name: 'QueueSize', cType: 'HSAuint64', kind: 'u64' },
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
    ],
  },
  hsaKmtWaitOnEvent: {
    generations: ['A', 'B'],
    params: [
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
      { name: 'Milliseconds', cType: 'HSAuint32', kind: 'u32' },
    ],
  },
  hsaKmtWaitOnEvent_Ext: {
    generations: ['B'],
    params: [
      { name: 'Event', cType: 'HsaEvent*', kind: 'pointer', to: 'struct', struct: 'HsaEvent' },
      { name: 'Milliseconds', cType: 'HSAuint32', kind: 'u32' },
      { name: 'event_age', cType: 'uint64_t*', kind: 'pointer', to: 'u64' },
    ],
  },
  hsaKmtWaitOnMultipleEvents: {
    generations: ['A', 'B'],
    params: [
      { name: 'Events', cType: 'HsaEvent* *', kind: 'pointer', to: 'pointer' },
      { name: 'NumEvents', cType: 'HSAuint32', kind: 'u32' },
      { name: 'WaitOnAll', cType: 'bool', kind: 'bool' },
      { name: 'Milliseconds', cType: 'HSAuint32', kind: 'u32' },
    ],
  },
  hsaKmtWaitOnMultipleEvents_Ext: {
    generations: ['B'],
    params: [
      { name: 'Events', cType: 'HsaEvent* *', kind: 'pointer', to: 'pointer' },
      { name: 'NumEvents', cType: 'HSAuint32', kind: 'u32' },
      { name: 'WaitOnAll', cType: 'bool', kind: 'bool' },
      { name: 'Milliseconds', cType: 'HSAuint32', kind: 'u32' },
      { name: 'event_age', cType: 'uint64_t*', kind: 'pointer', to: 'u64' },
    ],
  },
} as const;
