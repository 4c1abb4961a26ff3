import type { HsaFunctionName, HsaParam } from '@doorbell/abi';
import { HSA_FUNCTIONS, HSA_TABLES, hsaStatusName } from '@doorbell/abi';
import type { HsaApiTable } from './api-tables.js';
import { TABLE_NAMES } from './api-tables.js';
import { functionIn, interceptSlot } from './internal/intercept-slot.js';
import type { AnyFunction } from './internal/slot.js';

/** One call of an HSA function, after it returned. */
export interface TracedCall {
  readonly name: HsaFunctionName;
  /** As given; out-parameters hold what the function wrote. */
  readonly args: readonly unknown[];
  readonly result: unknown;
}

/** A call as one line, arguments by name: `hsa_init() = HSA_STATUS_SUCCESS`. Out-parameters are shown as written: `signal=&0x10`. */
export function formatCall({ name, args, result }: TracedCall): string {
  const { params, returns } = HSA_FUNCTIONS[name];
  const list = params.map((param, index) => `${param.name}=${formatArgument(param, args[index])}`).join(', ');
  if (returns === 'void') return `${name}(${list})`;
  const status = returns === 'hsa_status_t' && typeof result === 'number' ? hsaStatusName(result) : undefined;
  return `${name}(${list}) = ${status ?? formatValue(result)}`;
}

/** Reports every call through any slot of the tables, until disposed. Slots of the tools table that are empty stay empty. */
export function traceCalls(tables: HsaApiTable, report: (call: TracedCall) => void): Disposable {
  const interceptors: Disposable[] = [];
  for (const tableName of TABLE_NAMES) {
    const table = tables[tableName];
    for (const name of HSA_TABLES[tableName].slots) {
      if (functionIn(table, name) === null) continue;
      interceptors.push(interceptSlot(table, name, (next) => tracer(name, next, report), {}));
    }
  }
  return {
    [Symbol.dispose]: () => {
      for (const interceptor of interceptors.reverse()) interceptor[Symbol.dispose]();
    },
  };
}

function tracer(name: HsaFunctionName, next: AnyFunction, report: (call: TracedCall) => void): AnyFunction {
  return (...args) => {
    const result = next(...args);
    report({ name, args, result });
    return result;
  };
}

function formatArgument({ kind }: HsaParam, value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (kind === 'callback') return 'function';
  const isOut = kind === 'out' || kind === 'in-out' || kind === 'out-array' || kind === 'out-any';
  if (isOut && typeof value === 'object' && 'value' in value) return `&${formatValue(value.value)}`;
  return formatValue(value);
}

/** At most this many elements of an array are shown. */
const SHOWN_ELEMENTS = 8;

function formatValue(value: unknown): string {
  if (typeof value === 'bigint') return value < 0n ? String(value) : `0x${value.toString(16)}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `<${value.length} bytes>`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN_ELEMENTS).map(formatValue);
    return `[${shown.join(', ')}${value.length > SHOWN_ELEMENTS ? `, … ${value.length} in all` : ''}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}=${formatValue(member)}`)
      .join(', ')}}`;
  }
  return String(value);
}
