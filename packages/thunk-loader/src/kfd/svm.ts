/** Shared virtual memory: attributes of address ranges (kfd_ioctl.h AMDKFD_IOC_SVM). */
import type { KfdDevice } from '@doorbell/abi';
import { HsaError, InternalError, kfd } from '@doorbell/abi';
import { EFAULT, EINVAL, EPERM } from '../errno.js';
import type { AddressRange, SvmAttribute, SvmAttributeKind } from '../thunk.js';
import { SVM_ATTRIBUTE_TYPES, svmAttributeKind } from '../wire-types.js';
import { SINCE_MINOR } from '../driver-constants.js';
import { issueKfd, ioctlError } from './ioctl.js';
import type { KfdProcess } from './process.js';
import { requireMinor } from './process.js';

const ARGS = kfd.kfd_ioctl_svm_args;
const ATTRIBUTE = kfd.kfd_ioctl_svm_attribute;
/** asm-generic/ioctl.h _IOC_SIZESHIFT: the attributes behind the structure count in the request's size. */
const SIZE_SHIFT = 16;
/** _IOC_SIZE has 14 bits. */
const MAX_ATTRIBUTES: number = Math.floor((0x3fff - ARGS.sizeBytes) / ATTRIBUTE.sizeBytes);

/** Sets or asks for attributes; the answer is the attributes as the driver left them. */
export function callSvm(
  device: KfdDevice,
  process: KfdProcess,
  call: { readonly op: 'set' | 'get'; readonly range: AddressRange; readonly attributes: readonly SvmAttribute[] },
): readonly SvmAttribute[] {
  const { op, range, attributes } = call;
  requireMinor(device, process, SINCE_MINOR.SVM, 'SVM');
  if (attributes.length > MAX_ATTRIBUTES) {
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `at most ${MAX_ATTRIBUTES} attributes, not ${attributes.length}` });
  }
  const bytes = new Uint8Array(ARGS.sizeBytes + attributes.length * ATTRIBUTE.sizeBytes);
  const args = {
    start_addr: range.address,
    size: BigInt(range.sizeBytes),
    op: op === 'set' ? kfd.KFD_IOCTL_SVM_OP_SET_ATTR : kfd.KFD_IOCTL_SVM_OP_GET_ATTR,
    nattr: attributes.length,
  };
  ARGS.write(bytes, args);
  attributes.forEach(({ kind, value }, i) => ATTRIBUTE.write(bytes, { type: SVM_ATTRIBUTE_TYPES[kind], value }, offsetOf(i)));
  const errno = issueKfd(device, kfd.AMDKFD_IOC_SVM + ((attributes.length * ATTRIBUTE.sizeBytes) << SIZE_SHIFT), bytes);
  if (errno !== 0) {
    const where = `${range.sizeBytes} bytes at 0x${range.address.toString(16)}`;
    const purpose = {
      doing: `${op === 'set' ? 'setting' : 'reading'} attributes of ${where}`,
      errnos: {
        [EPERM]: { code: 'ERR_NOT_SUPPORTED', meaning: 'the driver has no shared virtual memory' },
        [EFAULT]: { code: 'ERR_INVALID_ADDRESS', meaning: 'the process has no memory in some of the range' },
        [EINVAL]: { meaning: 'the range is no whole pages, or an attribute or its value makes no sense' },
      },
    } as const;
    throw ioctlError(device, 'SVM', { errno, purpose, args: { ...args, attributes } });
  }
  return attributes.map((_, i) => {
    const { type, value } = ATTRIBUTE.read(bytes, offsetOf(i));
    return { kind: kindOf(type), value };
  });
}

function offsetOf(index: number): number {
  return ARGS.sizeBytes + index * ATTRIBUTE.sizeBytes;
}

function kindOf(type: number): SvmAttributeKind {
  const kind = svmAttributeKind(type);
  if (kind === undefined) throw new InternalError(`the driver answered with SVM attribute ${type}`);
  return kind;
}
