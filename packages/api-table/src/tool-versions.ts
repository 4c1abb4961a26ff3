import type { HsaTableName } from '@doorbell/abi';
import type { HsaApiTable } from './api-tables.js';
import { TABLE_NAMES } from './api-tables.js';

/** The root table or one of the six. */
export type VersionedTable = 'root' | HsaTableName;

/** Versions of the tables that a tool was made for: those that it uses. */
export type ToolVersions = { readonly [N in VersionedTable]?: TableVersion };

export interface TableVersion {
  readonly major: number;
  /** Size of the C structure in bytes; absent: any. */
  readonly minor?: number;
  readonly step?: number;
}

/** One table's version here, and the tool's where it is known. */
export interface VersionPair {
  readonly table: VersionedTable;
  readonly ours: TableVersion;
  readonly theirs?: TableVersion;
}

/** The root table's version and the six tables', beside a tool's. */
export function pairVersions(tables: HsaApiTable, theirs: ToolVersions = {}): readonly VersionPair[] {
  const names: readonly VersionedTable[] = ['root', ...TABLE_NAMES];
  return names.map((table) => {
    const { major, minor, step } = table === 'root' ? tables.version : tables[table].version;
    const known = theirs[table];
    return { table, ours: { major, minor, step }, ...(known === undefined ? {} : { theirs: known }) };
  });
}

/** The pairs that keep a tool from running here: another major version, or a table longer than ours. */
export function findMismatches(pairs: readonly VersionPair[]): readonly VersionPair[] {
  return pairs.filter(
    ({ ours, theirs }) => theirs !== undefined && (theirs.major !== ours.major || (theirs.minor ?? 0) > (ours.minor ?? 0)),
  );
}

/** `core 2 (1016 bytes, step 0) here, 1 (1000 bytes, step 0) of the tool`. */
export function formatVersionPair({ table, ours, theirs }: VersionPair): string {
  return `${table} ${formatVersion(ours)} here${theirs === undefined ? '' : `, ${formatVersion(theirs)} of the tool`}`;
}

function formatVersion({ major, minor, step }: TableVersion): string {
  const details = [...(minor === undefined ? [] : [`${minor} bytes`]), ...(step === undefined ? [] : [`step ${step}`])];
  return details.length === 0 ? `${major}` : `${major} (${details.join(', ')})`;
}
