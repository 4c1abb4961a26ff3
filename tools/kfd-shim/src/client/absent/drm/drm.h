/* Stands in where libdrm's headers are not installed: all that linux/kfd_ioctl.h has from them is the names of integers. */
#include <linux/types.h>
