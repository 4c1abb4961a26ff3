import { HSA_TABLES } from '@doorbell/abi';
import type { ApiTable, ApiTableVersion, HsaApiTable } from './api-tables.js';
import { TABLE_NAMES } from './api-tables.js';
import { slotOffset } from './native-layout.js';

/**
 * Copies tables as a tool does before it patches them (hsa_api_trace.h `copyTables`): as many slots as both sides have. The
 * major versions must agree; where they do not, the version in `destination` becomes 0, which means that the table is absent.
 */
export function copyTables(source: HsaApiTable, destination: HsaApiTable): void {
  const root = destination.version;
  if (root.major !== source.version.major) {
    clear(root);
    return;
  }
  root.step = source.version.step;
  root.minor = Math.min(root.minor, source.version.minor);
  TABLE_NAMES.forEach((name, index) => {
    if (slotOffset(index) < root.minor) copyTable(source[name], destination[name], HSA_TABLES[name].slots);
  });
}

/** Whether a slot is there: the table is present and long enough. A tool asks this before it touches a slot. */
export function hasSlot(table: ApiTable<unknown>, slot: string): boolean {
  const { major, minor } = table.version;
  const index = Object.keys(table).indexOf(slot) - 1;
  return major !== 0 && index >= 0 && slotOffset(index) < minor;
}

function copyTable(source: ApiTable<object>, destination: ApiTable<object>, slots: readonly string[]): void {
  const { version } = destination;
  if (source.version.major === 0 || source.version.major !== version.major) {
    clear(version);
    return;
  }
  version.step = source.version.step;
  version.minor = Math.min(version.minor, source.version.minor);
  slots.forEach((slot, index) => {
    if (slotOffset(index) < version.minor) Reflect.set(destination, slot, Reflect.get(source, slot));
  });
}

function clear(version: ApiTableVersion): void {
  version.major = 0;
  version.minor = 0;
  version.step = 0;
}
