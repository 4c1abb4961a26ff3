/**
 * The six HSA API tables (hsa_api_trace.h): what a C program sees as structures of function pointers, with the same names in
 * the same order.
 */
import type {
  AmdExtApi,
  CoreApi,
  EventSink,
  FinalizerExtApi,
  HsaFunctionName,
  HsaTableName,
  HsaTableTypes,
  ImageExtApi,
  PcSamplingExtApi,
  ToolsApi,
} from '@doorbell/abi';
import { HSA_API_TABLE_MAJOR_VERSION, HSA_API_TABLE_STEP_VERSION, HSA_TABLES, tableSizeBytes } from '@doorbell/abi';
import type { AnyFunction } from './internal/slot.js';
import { createMissingSlot, createSlot } from './internal/slot.js';
import { noteTableEvents } from './internal/table-events.js';

/** The header of every table. */
export interface ApiTableVersion {
  /** 0: the table is absent. */
  major: number;
  /** Size of the C structure in bytes: a slot is there when its offset is below. */
  minor: number;
  /** Counted up with every appended slot. */
  step: number;
  reserved: number;
}

/** A table: the version, then one property per slot, in the order of C. */
export type ApiTable<Slots> = { readonly version: ApiTableVersion } & Slots;

/** The root table. Its members are the tables themselves, which tools patch slot by slot. */
export interface HsaApiTable {
  readonly version: ApiTableVersion;
  readonly core: ApiTable<CoreApi>;
  readonly amdExt: ApiTable<AmdExtApi>;
  readonly finalizerExt: ApiTable<FinalizerExtApi>;
  readonly imageExt: ApiTable<ImageExtApi>;
  /** Callbacks that tools hand in; `null` until one does. */
  readonly tools: ApiTable<ToolsApi>;
  readonly pcSamplingExt: ApiTable<PcSamplingExtApi>;
}

/** Functions behind the slots: as many as there are. They may throw; slots turn that into a status. */
export type HsaImplementation = Partial<CoreApi & AmdExtApi & FinalizerExtApi & ImageExtApi & PcSamplingExtApi>;

export interface ApiTableOptions {
  /** Gets `slot-not-implemented`, `invalid-argument` and `slot-failed`. */
  readonly events?: EventSink;
  /**
   * Whether the runtime is open. When it says no, functions that return a status give HSA_STATUS_ERROR_NOT_INITIALIZED
   * before anything else is looked at, as HSA wants it. Absent: nothing is checked.
   */
  readonly isInitialized?: () => boolean;
}

/** Both copies of the tables. */
export interface HsaApiTables {
  /** What applications call and tools patch. */
  readonly public: HsaApiTable;
  /** What the runtime calls when it wants no tool in between; frozen. */
  readonly internal: HsaApiTable;
}

/** Names of the tables in the order of the root table. */
export const TABLE_NAMES: readonly HsaTableName[] = ['core', 'amdExt', 'finalizerExt', 'imageExt', 'tools', 'pcSamplingExt'];

/**
 * Makes both copies of the tables around an implementation. A slot without a function gives HSA_STATUS_ERROR and publishes its
 * name; slots never throw.
 *
 * @example
 * const { public: tables } = createApiTables({ hsa_init: () => 0 });
 * tables.core.hsa_init(); // 0, HSA_STATUS_SUCCESS
 */
export function createApiTables(implementation: HsaImplementation, options: ApiTableOptions = {}): HsaApiTables {
  // Made once, so that both copies hold the very same functions, as C's tables do.
  const slots = new Map<HsaFunctionName, AnyFunction | null>();
  for (const table of TABLE_NAMES) {
    for (const name of HSA_TABLES[table].slots)
      slots.set(name, table === 'tools' ? null : makeSlot(name, implementation, options));
  }
  const internal = makeRoot(slots);
  for (const table of TABLE_NAMES) {
    Object.freeze(internal[table].version);
    Object.freeze(internal[table]);
  }
  Object.freeze(internal.version);
  const root = makeRoot(slots);
  for (const table of TABLE_NAMES) if (options.events) noteTableEvents(root[table], options.events);
  return { public: root, internal: Object.freeze(internal) };
}

function makeSlot(name: HsaFunctionName, implementation: HsaImplementation, options: ApiTableOptions): AnyFunction {
  const target = Object.hasOwn(implementation, name)
    ? // Safe: the slot checks its arguments by the signature before it calls.
      (implementation as Partial<Record<HsaFunctionName, AnyFunction>>)[name]
    : undefined;
  return target ? createSlot(name, target, options) : createMissingSlot(name, options);
}

function makeRoot(slots: ReadonlyMap<HsaFunctionName, AnyFunction | null>): HsaApiTable {
  const version = versionOf(HSA_API_TABLE_MAJOR_VERSION, TABLE_NAMES.length, HSA_API_TABLE_STEP_VERSION);
  const table = <N extends HsaTableName>(name: N): ApiTable<HsaTableTypes[N]> => {
    const { major, step, slots: names } = HSA_TABLES[name];
    const entries = names.map((slot) => [slot, slots.get(slot)] as const);
    // Safe: the names of HSA_TABLES[name] are the keys of HsaTableTypes[name]; both are generated from one list.
    return { version: versionOf(major, names.length, step), ...Object.fromEntries(entries) } as unknown as ApiTable<
      HsaTableTypes[N]
    >;
  };
  return {
    version,
    core: table('core'),
    amdExt: table('amdExt'),
    finalizerExt: table('finalizerExt'),
    imageExt: table('imageExt'),
    tools: table('tools'),
    pcSamplingExt: table('pcSamplingExt'),
  };
}

function versionOf(major: number, slots: number, step: number): ApiTableVersion {
  return { major, minor: tableSizeBytes(slots), step, reserved: 0 };
}
