/** Kinds as the driver numbers them; hsakmttypes.h has the same numbers (HSA_EVENTTYPE_*, HSA_SVM_ATTR_*). */
import { kfd } from '@doorbell/abi';
import type { EventKind, SvmAttributeKind } from './thunk.js';

export const EVENT_TYPES: Readonly<Record<EventKind, number>> = {
  signal: kfd.KFD_IOC_EVENT_SIGNAL,
  'memory-exception': kfd.KFD_IOC_EVENT_MEMORY,
  'hw-exception': kfd.KFD_IOC_EVENT_HW_EXCEPTION,
  'node-change': kfd.KFD_IOC_EVENT_NODECHANGE,
  'device-state-change': kfd.KFD_IOC_EVENT_DEVICESTATECHANGE,
  system: kfd.KFD_IOC_EVENT_SYSTEM_EVENT,
  debug: kfd.KFD_IOC_EVENT_DEBUG_EVENT,
  profile: kfd.KFD_IOC_EVENT_PROFILE_EVENT,
  queue: kfd.KFD_IOC_EVENT_QUEUE_EVENT,
};

export const SVM_ATTRIBUTE_TYPES: Readonly<Record<SvmAttributeKind, number>> = {
  'preferred-location': kfd.KFD_IOCTL_SVM_ATTR_PREFERRED_LOC,
  'prefetch-location': kfd.KFD_IOCTL_SVM_ATTR_PREFETCH_LOC,
  access: kfd.KFD_IOCTL_SVM_ATTR_ACCESS,
  'access-in-place': kfd.KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE,
  'no-access': kfd.KFD_IOCTL_SVM_ATTR_NO_ACCESS,
  'set-flags': kfd.KFD_IOCTL_SVM_ATTR_SET_FLAGS,
  'clear-flags': kfd.KFD_IOCTL_SVM_ATTR_CLR_FLAGS,
  granularity: kfd.KFD_IOCTL_SVM_ATTR_GRANULARITY,
};

/** The attribute with a number; undefined for one that is not known. */
export function svmAttributeKind(type: number): SvmAttributeKind | undefined {
  // Safe: the record has exactly these keys.
  return (Object.keys(SVM_ATTRIBUTE_TYPES) as SvmAttributeKind[]).find((kind) => SVM_ATTRIBUTE_TYPES[kind] === type);
}
