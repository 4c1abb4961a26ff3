import type { HsaFunctionName, HsaTableName } from '@doorbell/abi';
import { HSA_TABLE_HEADER_BYTES, HSA_TABLES, tableSizeBytes } from '@doorbell/abi';
import { TABLE_NAMES } from './api-tables.js';

/** Where everything is in one block that holds the tables as C has them (hsa_api_trace.h): the root table, then the six. */
export interface NativeLayout {
  readonly sizeBytes: number;
  /** By table: offset of its version, and of the root's pointer to it. */
  readonly tables: Readonly<Record<HsaTableName, { readonly offset: number; readonly pointerOffset: number }>>;
  readonly slots: readonly NativeSlot[];
}

/** One function pointer. */
export interface NativeSlot {
  readonly table: HsaTableName;
  readonly name: HsaFunctionName;
  /** In the block. */
  readonly offset: number;
}

/** Lays the tables out; the root is at offset 0. */
export function layoutNativeTables(): NativeLayout {
  const slots: NativeSlot[] = [];
  let end = tableSizeBytes(TABLE_NAMES.length);
  const tables = TABLE_NAMES.map((table, index) => {
    const offset = end;
    const names = HSA_TABLES[table].slots;
    names.forEach((name, slot) => slots.push({ table, name, offset: offset + slotOffset(slot) }));
    end += tableSizeBytes(names.length);
    return [table, { offset, pointerOffset: slotOffset(index) }] as const;
  });
  // Safe: TABLE_NAMES has every table's name.
  return { sizeBytes: end, tables: Object.fromEntries(tables) as unknown as NativeLayout['tables'], slots };
}

/** Byte offset of a slot in C's structure. */
export function slotOffset(index: number): number {
  return HSA_TABLE_HEADER_BYTES + 8 * index;
}
