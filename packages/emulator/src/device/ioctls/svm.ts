/** The SVM ioctl (amdkfd kfd_chardev.c kfd_ioctl_svm, kfd_svm.c svm_range_check_attr, svm_range_get_attr). */
import { kfd } from '@doorbell/abi';
import { PAGE_BYTES } from '../../memory-map.js';
import { EFAULT, EINVAL } from '../errno.js';
import type { Ioctl } from '../ioctl.js';
import type { Process } from '../process.js';
import type { SvmChange, SvmSummary } from '../svm-ranges.js';
import { LOCATION_UNDEFINED } from '../svm-ranges.js';

const ARGS = kfd.kfd_ioctl_svm_args;
const ATTRIBUTE = kfd.kfd_ioctl_svm_attribute;
const {
  KFD_IOCTL_SVM_ATTR_PREFERRED_LOC: PREFERRED,
  KFD_IOCTL_SVM_ATTR_PREFETCH_LOC: PREFETCH,
  KFD_IOCTL_SVM_ATTR_ACCESS: ACCESS,
  KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE: ACCESS_IN_PLACE,
  KFD_IOCTL_SVM_ATTR_NO_ACCESS: NO_ACCESS,
  KFD_IOCTL_SVM_ATTR_SET_FLAGS: SET_FLAGS,
  KFD_IOCTL_SVM_ATTR_CLR_FLAGS: CLR_FLAGS,
  KFD_IOCTL_SVM_ATTR_GRANULARITY: GRANULARITY,
  KFD_IOCTL_SVM_LOCATION_SYSMEM: SYSMEM,
} = kfd;

const CHANGE_KINDS: ReadonlyMap<number, SvmChange['kind']> = new Map<number, SvmChange['kind']>([
  [PREFERRED, 'preferred'],
  [PREFETCH, 'prefetch'],
  [ACCESS, 'access'],
  [ACCESS_IN_PLACE, 'access-in-place'],
  [NO_ACCESS, 'no-access'],
  [SET_FLAGS, 'set-flags'],
  [CLR_FLAGS, 'clear-flags'],
  [GRANULARITY, 'granularity'],
]);

interface Attribute {
  readonly type: number;
  readonly value: number;
}

/** Its argument is as long as the attributes behind it. */
export const svm: Ioctl = {
  sizeBytes: ARGS.sizeBytes,
  direction: 'WR',
  run(process, arg) {
    const args = ARGS.read(arg);
    // kfd_ioctl_svm_validate: the caller's size must hold all attributes that it announces.
    if (ARGS.sizeBytes + args.nattr * ATTRIBUTE.sizeBytes > arg.byteLength) return -EINVAL;
    const page = BigInt(PAGE_BYTES);
    if (args.start_addr % page !== 0n || args.size % page !== 0n || args.start_addr === 0n || args.size === 0n) return -EINVAL;
    const attributes = Array.from({ length: args.nattr }, (_, i) => ATTRIBUTE.read(arg, offsetOf(i)));
    if (args.op !== kfd.KFD_IOCTL_SVM_OP_SET_ATTR && args.op !== kfd.KFD_IOCTL_SVM_OP_GET_ATTR) return -EINVAL;
    const sizeBytes = Number(args.size);
    const isSet = args.op === kfd.KFD_IOCTL_SVM_OP_SET_ATTR;
    if (!attributes.every((attribute) => (isSet ? canSet(process, attribute) : canGet(process, attribute)))) return -EINVAL;
    const offset = process.offsetOf(args.start_addr, sizeBytes);
    if (offset === undefined) return -EFAULT;
    const status = process.svm.check(offset, sizeBytes);
    if (status !== 0) return status;
    if (isSet) {
      process.svm.set(offset, sizeBytes, attributes.flatMap(changeOf));
      return 0;
    }
    const summary = process.svm.summarize(offset, sizeBytes);
    attributes.forEach((attribute, i) => ATTRIBUTE.write(arg, answerOf(summary, attribute), offsetOf(i)));
    return 0;
  },
};

function offsetOf(index: number): number {
  return ARGS.sizeBytes + index * ATTRIBUTE.sizeBytes;
}

function changeOf({ type, value }: Attribute): readonly SvmChange[] {
  const kind = CHANGE_KINDS.get(type);
  return kind === undefined ? [] : [{ kind, value }];
}

function canSet(process: Process, { type, value }: Attribute): boolean {
  switch (type) {
    case PREFERRED:
      return value === SYSMEM || value === LOCATION_UNDEFINED || process.gpu(value) !== undefined;
    case PREFETCH:
      return value === SYSMEM || process.gpu(value) !== undefined;
    case ACCESS:
    case ACCESS_IN_PLACE:
    case NO_ACCESS:
      return process.gpu(value) !== undefined;
    default:
      return CHANGE_KINDS.has(type);
  }
}

function canGet(process: Process, { type, value }: Attribute): boolean {
  if (type === ACCESS) return process.gpu(value) !== undefined;
  return type !== ACCESS_IN_PLACE && type !== NO_ACCESS && CHANGE_KINDS.has(type);
}

function answerOf(summary: SvmSummary, { type, value }: Attribute): Attribute {
  switch (type) {
    case PREFERRED:
      return { type, value: summary.preferredLocation };
    case PREFETCH:
      return { type, value: summary.prefetchLocation };
    case SET_FLAGS:
      return { type, value: summary.flagsAnd };
    case CLR_FLAGS:
      return { type, value: ~summary.flagsOr >>> 0 };
    case GRANULARITY:
      return { type, value: summary.granularity };
    default: {
      const inPlace = summary.accessInPlace.has(value) ? ACCESS_IN_PLACE : NO_ACCESS;
      return { type: summary.access.has(value) ? ACCESS : inPlace, value };
    }
  }
}
