/** Arguments about queues and GPUs, for both providers. */
import { PRIORITIES } from '../driver-constants.js';
import type { CreateQueueOptions, MemoryPolicy, QueueKind, ThunkQueue, UpdateQueueOptions } from '../thunk.js';
import { checkAddress, checkInteger, checkObject, checkWord, wrong } from './values.js';

const KINDS: readonly QueueKind[] = ['aql', 'pm4', 'sdma', 'sdma-xgmi', 'sdma-engine'];
const PRIORITY_NAMES: readonly string[] = Object.keys(PRIORITIES);
const POLICIES: readonly MemoryPolicy['default'][] = ['coherent', 'noncoherent'];

/** What the numbers may be, the driver says. @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkCreateQueue(options: CreateQueueOptions): void {
  checkObject(options, 'options');
  checkInteger(options.gpuId, 'gpuId');
  checkWord(options.kind, 'kind', KINDS);
  checkAddress(options.ringAddress, 'ringAddress');
  checkInteger(options.ringBytes, 'ringBytes');
  checkAddress(options.writePointerAddress, 'writePointerAddress');
  checkAddress(options.readPointerAddress, 'readPointerAddress');
  if (options.engineId !== undefined) checkInteger(options.engineId, 'engineId');
  checkShare(options);
  const { error } = options;
  if (error === undefined) return;
  checkObject(error, 'error');
  checkAddress(error.payloadAddress, 'error.payloadAddress');
  checkInteger(error.eventId, 'error.eventId');
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkUpdateQueue(queue: ThunkQueue, options: UpdateQueueOptions): void {
  checkQueue(queue);
  checkObject(options, 'options');
  checkShare(options);
  const { ring } = options;
  if (ring === undefined) return;
  checkObject(ring, 'ring');
  checkAddress(ring.address, 'ring.address');
  checkInteger(ring.sizeBytes, 'ring.sizeBytes');
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkQueue(queue: ThunkQueue): void {
  checkObject(queue, 'queue');
  if (typeof queue.queueId !== 'number') throw wrong('queue', 'what createQueue gave', queue);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkCuMask(queue: ThunkQueue, mask: Uint32Array): void {
  checkQueue(queue);
  if (!(mask instanceof Uint32Array)) throw wrong('mask', 'a Uint32Array', mask);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkMemoryPolicy(gpuId: number, policy: MemoryPolicy): void {
  checkInteger(gpuId, 'gpuId');
  checkObject(policy, 'policy');
  checkWord(policy.default, 'default', POLICIES);
  checkWord(policy.alternate, 'alternate', POLICIES);
  checkAddress(policy.alternateBase, 'alternateBase');
  checkAddress(policy.alternateBytes, 'alternateBytes');
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkXnack(mode: 'on' | 'off'): void {
  checkWord(mode, 'mode', ['on', 'off']);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkRuntime(options: { readonly rDebugAddress: bigint; readonly saveTrapTemporaries: 'yes' | 'no' }): void {
  checkObject(options, 'options');
  checkAddress(options.rDebugAddress, 'rDebugAddress');
  checkWord(options.saveTrapTemporaries, 'saveTrapTemporaries', ['yes', 'no']);
}

function checkShare({ percentage, priority }: Pick<UpdateQueueOptions, 'percentage' | 'priority'>): void {
  if (percentage !== undefined) checkInteger(percentage, 'percentage', 16);
  if (priority !== undefined) checkWord(priority, 'priority', PRIORITY_NAMES);
}
