/**
 * AQL packets: the 64-byte slots of a queue's ring (HSA Platform System Architecture 1.2 §2.9; hsa.h; AMD's vendor formats:
 * hsa_ext_amd.h). Offsets for code that writes packets through typed arrays; whole packets through {@link aqlPackets}.
 */
import {
  hsa_agent_dispatch_packet_t,
  hsa_amd_barrier_value_packet_t,
  hsa_barrier_and_packet_t,
  hsa_barrier_or_packet_t,
  hsa_kernel_dispatch_packet_t,
} from './generated/hsa-structs.js';
import type { StructLayout } from './struct.js';
import { defineStruct } from './struct.js';

/** Size and alignment of every AQL packet. */
export const AQL_PACKET_BYTES = 64;

/** `hsa_packet_type_t`: bits 0–7 of the header. */
export const AqlPacketType = {
  vendorSpecific: 0,
  invalid: 1,
  kernelDispatch: 2,
  barrierAnd: 3,
  agentDispatch: 4,
  barrierOr: 5,
} as const;
export type AqlPacketType = (typeof AqlPacketType)[keyof typeof AqlPacketType];

/** `hsa_fence_scope_t`. */
export const AqlFenceScope = { none: 0, agent: 1, system: 2 } as const;
export type AqlFenceScope = (typeof AqlFenceScope)[keyof typeof AqlFenceScope];

/** Byte 2 of vendor-specific packets: what AMD puts there. */
export const AqlVendorFormat = {
  /** A PM4 indirect buffer, made by the runtime itself (see {@link PM4_IB_PACKET}). */
  pm4Ib: 1,
  barrierValue: 2,
  /** XDNA's ERT packet; has no completion signal. */
  aieErt: 3,
  /** Marks a place for tools; never reaches a device. */
  interceptMarker: 0xfe,
} as const;
export type AqlVendorFormat = (typeof AqlVendorFormat)[keyof typeof AqlVendorFormat];

/** Bit positions in the 16-bit header (hsa.h `hsa_packet_header_t`). */
export const AQL_HEADER = {
  typeBit: 0,
  typeBits: 8,
  barrierBit: 8,
  acquireBit: 9,
  acquireBits: 2,
  releaseBit: 11,
  releaseBits: 2,
} as const;

/** What a packet header says, apart from its type. */
export interface AqlHeaderOptions {
  /** Waits until all packets before it are complete. */
  readonly barrier?: boolean;
  readonly acquire?: AqlFenceScope;
  readonly release?: AqlFenceScope;
}

/** The 16-bit header of a packet. */
export function packAqlHeader(type: AqlPacketType, options: AqlHeaderOptions = {}): number {
  const { barrier = false, acquire = AqlFenceScope.none, release = AqlFenceScope.none } = options;
  return (
    type | (barrier ? 1 << AQL_HEADER.barrierBit : 0) | (acquire << AQL_HEADER.acquireBit) | (release << AQL_HEADER.releaseBit)
  );
}

/** What a header says; `type` may be a number that no packet type has. */
export interface AqlHeader {
  readonly type: number;
  readonly barrier: boolean;
  readonly acquire: number;
  readonly release: number;
}

export function unpackAqlHeader(header: number): AqlHeader {
  return {
    type: header & 0xff,
    barrier: ((header >>> AQL_HEADER.barrierBit) & 1) === 1,
    acquire: (header >>> AQL_HEADER.acquireBit) & 3,
    release: (header >>> AQL_HEADER.releaseBit) & 3,
  };
}

/** Byte offset of the completion signal in every packet but {@link AqlVendorFormat.aieErt}. */
export const AQL_COMPLETION_SIGNAL_OFFSET = 56;

/** Dependency signals of a barrier packet: five handles from byte 8 on; zero ones are ignored. */
export const AQL_BARRIER_DEPENDENCIES = { offset: 8, count: 5 } as const;

/** Byte offsets in a kernel dispatch packet (hsa.h `hsa_kernel_dispatch_packet_t`). */
export const KERNEL_DISPATCH_OFFSETS = {
  header: 0,
  setup: 2,
  workgroupSizeX: 4,
  workgroupSizeY: 6,
  workgroupSizeZ: 8,
  gridSizeX: 12,
  gridSizeY: 16,
  gridSizeZ: 20,
  privateSegmentSize: 24,
  groupSegmentSize: 28,
  kernelObject: 32,
  kernargAddress: 40,
  reserved: 48,
  completionSignal: 56,
} as const;

const pm4IbFields = {
  header: { offset: 0, type: 'u16' },
  /** Always 1. */
  amd_format: { offset: 2, type: 'u16' },
  /** One INDIRECT_BUFFER command. */
  pm4: { offset: 4, type: { array: 'u32', length: 4 } },
  /** Always 10. */
  dw_cnt_remain: { offset: 20, type: 'u32' },
  reserved: { offset: 24, type: { array: 'u32', length: 8 } },
  completion_signal: { offset: 56, type: 'u64' },
} as const;

/** The packet by which ROCr has a gfx9-or-later queue run PM4 (amd_aql_queue.cpp `ExecutePM4`). */
export const PM4_IB_PACKET: StructLayout<typeof pm4IbFields> = /* @__PURE__ */ defineStruct(
  'amd_aql_pm4_ib',
  AQL_PACKET_BYTES,
  pm4IbFields,
);

/** Layouts of the packets that have one, under our names. */
export const aqlPackets: {
  readonly kernelDispatch: typeof hsa_kernel_dispatch_packet_t;
  readonly barrierAnd: typeof hsa_barrier_and_packet_t;
  readonly barrierOr: typeof hsa_barrier_or_packet_t;
  readonly agentDispatch: typeof hsa_agent_dispatch_packet_t;
  readonly barrierValue: typeof hsa_amd_barrier_value_packet_t;
  readonly pm4Ib: typeof PM4_IB_PACKET;
} = {
  kernelDispatch: hsa_kernel_dispatch_packet_t,
  barrierAnd: hsa_barrier_and_packet_t,
  barrierOr: hsa_barrier_or_packet_t,
  agentDispatch: hsa_agent_dispatch_packet_t,
  barrierValue: hsa_amd_barrier_value_packet_t,
  pm4Ib: PM4_IB_PACKET,
};
