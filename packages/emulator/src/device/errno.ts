/** Linux errno values that the emulated driver answers with (asm-generic/errno-base.h, errno.h; ENOTSUPP: linux/errno.h, kernel-internal). */
export const EPERM = 1;
export const ENOENT = 2;
export const ESRCH = 3;
export const EIO = 5;
export const EBADF = 9;
export const ENOMEM = 12;
export const EACCES = 13;
export const EFAULT = 14;
export const EBUSY = 16;
export const EEXIST = 17;
export const ENODEV = 19;
export const EINVAL = 22;
export const ENOTTY = 25;
export const ENOSPC = 28;
export const EADDRINUSE = 98;
/** Reaches user space from CREATE_QUEUE with an unknown type (amdkfd kfd_device_queue_manager.c). */
export const ENOTSUPP = 524;
