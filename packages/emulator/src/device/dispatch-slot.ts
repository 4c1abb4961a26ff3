/** A dispatch on its way through shared memory: the command processor fills a slot, the compute workers read it. */
import { KERNEL_DISPATCH_OFFSETS as PACKET } from '@doorbell/abi';
import type { Dispatch } from '../executor.js';
import type { CheckedDispatch } from './dispatch-packet.js';
import { DESCRIPTOR } from './dispatch-packet.js';
import type { GpuModel } from './gpu-model.js';
import type { MemoryViews } from './shared-state.js';
import { SlotField } from './shared-state.js';

/** Where a dispatch comes from. */
export interface DispatchOrigin {
  readonly packet: number;
  readonly queueIndex: number;
  readonly gpuIndex: number;
  readonly serial: number;
  readonly dispatchId: number;
  /** Byte offset of the amd_queue_t, or -1. */
  readonly amdQueue: number;
  /** Byte offset of the completion signal, or 0. */
  readonly completionSignal: number;
}

/** Writes everything but the state into a slot. */
export function fillSlot(views: MemoryViews, word: number, dispatch: CheckedDispatch, origin: DispatchOrigin): void {
  const { words, longs } = views;
  const put = (field: number, value: number): void => {
    words[word + field] = value;
  };
  const putLong = (field: number, value: bigint): void => {
    longs[(word + field) / 2] = value;
  };
  const packet = new DataView(views.memory.buffer, origin.packet, 64);
  const descriptor = new DataView(views.memory.buffer, dispatch.descriptor, DESCRIPTOR.bytes);
  put(SlotField.abort, 0);
  put(SlotField.nextUnit, 0);
  put(SlotField.finishedUnits, 0);
  put(SlotField.units, dispatch.units);
  put(SlotField.unitGroups, dispatch.unitGroups);
  put(SlotField.queueIndex, origin.queueIndex);
  put(SlotField.fault, 0);
  put(SlotField.faultValue, 0);
  for (let axis = 0; axis < 3; axis += 1) {
    put(SlotField.workgroup + axis, dispatch.workgroup[axis] ?? 1);
    put(SlotField.grid + axis, dispatch.grid[axis] ?? 1);
    put(SlotField.groups + axis, dispatch.groups[axis] ?? 1);
  }
  put(SlotField.ldsBytes, dispatch.ldsBytes);
  put(SlotField.privateBytes, dispatch.privateBytes);
  put(SlotField.rsrc1, descriptor.getUint32(DESCRIPTOR.rsrc1, true));
  put(SlotField.rsrc2, descriptor.getUint32(DESCRIPTOR.rsrc2, true));
  put(SlotField.rsrc3, descriptor.getUint32(DESCRIPTOR.rsrc3, true));
  put(SlotField.properties, descriptor.getUint16(DESCRIPTOR.properties, true));
  put(SlotField.kernargPreload, descriptor.getUint16(DESCRIPTOR.preload, true));
  put(SlotField.gpuIndex, origin.gpuIndex);
  put(SlotField.serial, origin.serial);
  put(SlotField.completionSignal, origin.completionSignal);
  put(SlotField.amdQueue, Math.max(0, origin.amdQueue));
  putLong(SlotField.descriptorAddress, dispatch.descriptorAddress);
  putLong(SlotField.kernargAddress, packet.getBigInt64(PACKET.kernargAddress, true));
  putLong(SlotField.packetAddress, views.addresses.addressOf(origin.packet) ?? 0n);
  putLong(SlotField.queueAddress, origin.amdQueue < 0 ? 0n : (views.addresses.addressOf(origin.amdQueue) ?? 0n));
  putLong(SlotField.dispatchId, BigInt(origin.dispatchId));
  putLong(SlotField.entryAddress, dispatch.entryAddress);
  putLong(SlotField.startTicks, 0n);
}

/** The dispatch in a slot. */
export function readDispatch({ words, longs }: MemoryViews, word: number, gpus: readonly GpuModel[]): Dispatch {
  const get = (field: number): number => (words[word + field] ?? 0) >>> 0;
  const getLong = (field: number): bigint => BigInt.asUintN(64, longs[(word + field) / 2] ?? 0n);
  const triple = (field: number): readonly [number, number, number] => [get(field), get(field + 1), get(field + 2)];
  return {
    processor: gpus[get(SlotField.gpuIndex)]?.processor ?? '',
    workgroup: triple(SlotField.workgroup),
    grid: triple(SlotField.grid),
    groups: triple(SlotField.groups),
    ldsBytes: get(SlotField.ldsBytes),
    privateBytes: get(SlotField.privateBytes),
    descriptorAddress: getLong(SlotField.descriptorAddress),
    kernargAddress: getLong(SlotField.kernargAddress),
    packetAddress: getLong(SlotField.packetAddress),
    queueAddress: getLong(SlotField.queueAddress),
    dispatchId: getLong(SlotField.dispatchId),
    entryAddress: getLong(SlotField.entryAddress),
    rsrc1: get(SlotField.rsrc1),
    rsrc2: get(SlotField.rsrc2),
    rsrc3: get(SlotField.rsrc3),
    properties: get(SlotField.properties),
    kernargPreload: get(SlotField.kernargPreload),
  };
}
