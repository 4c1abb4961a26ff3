/** Shared virtual memory through libhsakmt, which names locations and GPUs by node. */
import { HsaError } from '@doorbell/abi';
import { EFAULT, EPERM } from '../errno.js';
import { SINCE_MINOR } from '../driver-constants.js';
import type { AddressRange, SvmAttribute, SvmAttributeKind } from '../thunk.js';
import { SVM_ATTRIBUTE_TYPES, svmAttributeKind } from '../wire-types.js';
import type { HsakmtSession } from './session.js';
import { nodeOf, notSupported } from './session.js';

/** Kinds whose value is a place. */
const PLACES: readonly SvmAttributeKind[] = ['preferred-location', 'prefetch-location', 'access', 'access-in-place', 'no-access'];
/** Nowhere in particular: an id and a node alike. */
const UNDEFINED = 0xffff_ffff;
/** Sets or asks for attributes; the answer is the attributes as the library left them. */
export function callSvm(
  session: HsakmtSession,
  call: { readonly op: 'set' | 'get'; readonly range: AddressRange; readonly attributes: readonly SvmAttribute[] },
): readonly SvmAttribute[] {
  const { library, version } = session;
  const { op, range, attributes } = call;
  if (version.minor < SINCE_MINOR.SVM) {
    const why = `it needs interface version ${version.major}.${SINCE_MINOR.SVM}; the driver has ${version.major}.${version.minor}`;
    throw notSupported(library, 'shared virtual memory', why);
  }
  const layout = library.layouts.HSA_SVM_ATTRIBUTE;
  const bytes = new Uint8Array(Math.max(1, attributes.length) * layout.sizeBytes);
  attributes.forEach((attribute, i) => {
    layout.write(
      bytes,
      { type: SVM_ATTRIBUTE_TYPES[attribute.kind], value: nodeValue(session, attribute, op) },
      i * layout.sizeBytes,
    );
  });
  const name = op === 'set' ? 'hsaKmtSVMSetAttr' : 'hsaKmtSVMGetAttr';
  library.call(name, [range.address, BigInt(range.sizeBytes), attributes.length, bytes], {
    doing: `${op === 'set' ? 'setting' : 'reading'} attributes of ${range.sizeBytes} bytes at 0x${range.address.toString(16)}`,
    errnos: {
      [EPERM]: { code: 'ERR_NOT_SUPPORTED', meaning: 'the driver has no shared virtual memory' },
      [EFAULT]: { code: 'ERR_INVALID_ADDRESS', meaning: 'the process has no memory in some of the range' },
    },
  });
  return attributes.map((_, i) => {
    const { type, value } = layout.read(bytes, i * layout.sizeBytes);
    const kind = svmAttributeKind(type);
    if (kind === undefined)
      throw new HsaError('ERR_KFD_IOCTL', { message: `${library.path}: ${name} answered attribute ${type}` });
    return { kind, value: PLACES.includes(kind) ? gpuValue(session, value) : value };
  });
}

/** What stands in a value that the call only answers is not looked at. */
function nodeValue(session: HsakmtSession, { kind, value }: SvmAttribute, op: 'set' | 'get'): number {
  const isLocation = kind === 'preferred-location' || kind === 'prefetch-location';
  if (!PLACES.includes(kind) || value === UNDEFINED || (op === 'get' && isLocation)) return value;
  // System memory has the id 0, and the node of a CPU.
  if (value === 0 && isLocation) return session.cpuNode ?? 0;
  return nodeOf(session, value);
}

/** The library answers node 0 for system memory, whichever node the CPU is. */
function gpuValue({ gpus }: HsakmtSession, node: number): number {
  if (node === UNDEFINED) return UNDEFINED;
  return gpus.find(({ nodeId }) => nodeId === node)?.gpuId ?? 0;
}
