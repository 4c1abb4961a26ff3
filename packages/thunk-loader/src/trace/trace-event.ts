/** What happens while a thunk is looked for and opened, step by step, as it happens. */
import type { ThunkBackend } from '../load/candidates.js';

/** One step. `timeMs` is on the clock of `performance.now()`. */
export type TraceEvent = { readonly timeMs: number } & TraceStep;

/** What a step was. */
export type TraceStep =
  | { readonly step: 'candidate'; readonly backend: ThunkBackend }
  | {
      readonly step: 'path';
      readonly backend: ThunkBackend;
      readonly path: string;
      readonly outcome: 'absent' | 'refused' | 'usable';
      readonly reason: string;
    }
  | { readonly step: 'search'; readonly backend: ThunkBackend; readonly note: string }
  | {
      readonly step: 'symbols';
      readonly backend: ThunkBackend;
      readonly path: string;
      readonly generation: string;
      readonly missingMandatory: readonly string[];
      readonly missingOptional: readonly string[];
      readonly missingDrm: readonly string[];
    }
  | { readonly step: 'dlopen'; readonly path: string; readonly outcome: string }
  | { readonly step: 'open'; readonly path: string; readonly outcome: string }
  | IoctlStep
  | {
      readonly step: 'memory';
      /** `mmap`, `munmap`, `reserve`, `release`, `mapDoorbells`, … */
      readonly call: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly outcome: string;
    }
  | {
      readonly step: 'sysfs';
      readonly call: 'readText' | 'list' | 'stat' | 'readLink';
      readonly path: string;
      readonly outcome: string;
    }
  /** A tool that was asked for: loaded, or left out and why. */
  | { readonly step: 'tool'; readonly name: string; readonly outcome: string }
  | {
      readonly step: 'decision';
      readonly backend: ThunkBackend;
      readonly state: 'taken' | 'refused' | 'not-tried';
      readonly reason: string;
    };

/** An ioctl: its arguments as they were given, and what the driver wrote into them. */
export interface IoctlStep {
  readonly step: 'ioctl';
  /** Without AMDKFD_IOC_; the number in hexadecimal for one that is not known. */
  readonly name: string;
  readonly request: number;
  /** Fields that are not zero; contents of arrays that fields point at, by the field's name. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Fields that the driver changed. */
  readonly result: Readonly<Record<string, unknown>>;
  /** `ok`, or the errno with its number. */
  readonly outcome: string;
}

/** Takes each step; it must not throw. */
export type TraceSink = (event: TraceEvent) => void;

/** Tells a sink a step, with the time. */
export function emit(trace: TraceSink | undefined, step: TraceStep): void {
  trace?.({ timeMs: performance.now(), ...step });
}

/** The step as one line, without the time. */
export function formatTraceStep(event: TraceStep): string {
  switch (event.step) {
    case 'candidate':
      return `candidate ${event.backend}`;
    case 'search':
      return `  search: ${event.note}`;
    case 'path':
      return `  look at ${event.path}: ${event.outcome === 'usable' ? event.reason : `${event.outcome}, ${event.reason}`}`;
    case 'symbols':
      return `  symbols of ${event.path}: generation ${event.generation}${lacking(event)}`;
    case 'dlopen':
      return `  dlopen ${event.path}: ${event.outcome}`;
    case 'open':
      return `  open ${event.path}: ${event.outcome}`;
    case 'ioctl':
      return `  ioctl ${event.name}(${formatFields(event.args)}) = ${event.outcome}${formatResult(event.result)}`;
    case 'memory':
      return `  ${event.call}(${formatFields(event.args)}) = ${event.outcome}`;
    case 'sysfs':
      return `  ${event.call} ${event.path}: ${event.outcome}`;
    case 'tool':
      return `tool ${event.name}: ${event.outcome}`;
    case 'decision':
      return `${event.backend} is ${event.state === 'not-tried' ? 'not tried' : event.state}: ${event.reason}`;
  }
}

function lacking(event: TraceStep & { readonly step: 'symbols' }): string {
  const parts = [
    ['mandatory', event.missingMandatory],
    ['optional', event.missingOptional],
    ['libdrm', event.missingDrm],
  ] as const;
  return parts.map(([kind, names]) => (names.length === 0 ? '' : `; lacks ${kind} ${names.join(', ')}`)).join('');
}

function formatResult(result: Readonly<Record<string, unknown>>): string {
  return Object.keys(result).length === 0 ? '' : ` {${formatFields(result)}}`;
}

function formatFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${formatValue(value)}`)
    .join(', ');
}

/** Numbers as hexadecimal where they look like addresses, flags or handles: from 0x10000 on. */
function formatValue(value: unknown): string {
  if (typeof value === 'number') return Math.abs(value) < 0x1_0000 ? String(value) : `0x${value.toString(16)}`;
  if (typeof value === 'bigint')
    return value < 0x1_0000n && value >= 0n ? String(value) : `0x${BigInt.asUintN(64, value).toString(16)}`;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{${formatFields({ ...value })}}`;
  return String(value);
}
