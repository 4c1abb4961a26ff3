import { describe, expect, it } from 'vitest';
import {
  AQL_BARRIER_DEPENDENCIES,
  AQL_COMPLETION_SIGNAL_OFFSET,
  AQL_HEADER,
  AQL_PACKET_BYTES,
  AqlFenceScope,
  AqlPacketType,
  aqlPackets,
  AqlVendorFormat,
  hsa,
  KERNEL_DISPATCH_OFFSETS,
  packAqlHeader,
  unpackAqlHeader,
} from '../src/index.js';

const system = { acquire: AqlFenceScope.system, release: AqlFenceScope.system };

describe('the header of an AQL packet', () => {
  // Values that AMD's runtime and its samples write.
  it.each([
    [
      'a dispatch with both system fences and the barrier bit',
      packAqlHeader(AqlPacketType.kernelDispatch, { ...system, barrier: true }),
      0x1502,
    ],
    ['a dispatch with both system fences', packAqlHeader(AqlPacketType.kernelDispatch, system), 0x1402],
    ['a full barrier-and', packAqlHeader(AqlPacketType.barrierAnd, { ...system, barrier: true }), 0x1503],
    ['an invalid packet', packAqlHeader(AqlPacketType.invalid), 0x0001],
  ])('of %s', (_, header, expected) => {
    expect(header).toBe(expected);
  });

  it('reads back what it packed', () => {
    for (const type of Object.values(AqlPacketType)) {
      for (const acquire of Object.values(AqlFenceScope)) {
        for (const release of Object.values(AqlFenceScope)) {
          for (const barrier of [false, true]) {
            expect(unpackAqlHeader(packAqlHeader(type, { barrier, acquire, release }))).toEqual({
              type,
              barrier,
              acquire,
              release,
            });
          }
        }
      }
    }
  });

  it('has its fields where hsa.h has them', () => {
    expect(AQL_HEADER).toEqual({
      typeBit: hsa.HSA_PACKET_HEADER_TYPE,
      typeBits: hsa.HSA_PACKET_HEADER_WIDTH_TYPE,
      barrierBit: hsa.HSA_PACKET_HEADER_BARRIER,
      acquireBit: hsa.HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE,
      acquireBits: hsa.HSA_PACKET_HEADER_WIDTH_SCACQUIRE_FENCE_SCOPE,
      releaseBit: hsa.HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE,
      releaseBits: hsa.HSA_PACKET_HEADER_WIDTH_SCRELEASE_FENCE_SCOPE,
    });
    expect(AqlPacketType).toEqual({
      vendorSpecific: hsa.HSA_PACKET_TYPE_VENDOR_SPECIFIC,
      invalid: hsa.HSA_PACKET_TYPE_INVALID,
      kernelDispatch: hsa.HSA_PACKET_TYPE_KERNEL_DISPATCH,
      barrierAnd: hsa.HSA_PACKET_TYPE_BARRIER_AND,
      agentDispatch: hsa.HSA_PACKET_TYPE_AGENT_DISPATCH,
      barrierOr: hsa.HSA_PACKET_TYPE_BARRIER_OR,
    });
    expect(AqlFenceScope).toEqual({
      none: hsa.HSA_FENCE_SCOPE_NONE,
      agent: hsa.HSA_FENCE_SCOPE_AGENT,
      system: hsa.HSA_FENCE_SCOPE_SYSTEM,
    });
    expect(AqlVendorFormat.barrierValue).toBe(hsa.HSA_AMD_PACKET_TYPE_BARRIER_VALUE);
  });
});

describe('packets', () => {
  it('are 64 bytes with the completion signal in the last eight', () => {
    for (const layout of Object.values(aqlPackets)) {
      expect(layout.sizeBytes).toBe(AQL_PACKET_BYTES);
      expect(layout.offsetOf('completion_signal')).toBe(AQL_COMPLETION_SIGNAL_OFFSET);
    }
  });

  it('have their dependencies where the layout has them', () => {
    for (const { fields } of [aqlPackets.barrierAnd, aqlPackets.barrierOr]) {
      expect(fields.dep_signal).toEqual({
        offset: AQL_BARRIER_DEPENDENCIES.offset,
        type: { array: 'u64', length: AQL_BARRIER_DEPENDENCIES.count },
      });
    }
  });

  it('have the offsets of the dispatch packet that its layout has', () => {
    const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    for (const [name, offset] of Object.entries(KERNEL_DISPATCH_OFFSETS)) {
      expect(aqlPackets.kernelDispatch.offsetOf(name === 'reserved' ? 'reserved2' : snake(name)), name).toBe(offset);
    }
  });
});
