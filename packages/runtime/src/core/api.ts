import type { HsaApiTable } from '@doorbell/api-table';

/** The runtime's public HSA API table, as `device.apiTable` gives it. */
export type ApiTable = HsaApiTable;
