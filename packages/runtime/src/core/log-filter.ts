/** What is printed of the events that packages publish. */
import type { EventLevel } from '@doorbell/abi';
import { readHotSwapEnvironment } from '@doorbell/hotswap-tool/hook';
import type { Env } from './flags.js';

/** The most important first. */
export const LOG_LEVELS: readonly EventLevel[] = ['error', 'warn', 'info', 'debug', 'trace'];
const LIMITS: readonly LogLimit[] = [...LOG_LEVELS, 'off'];

/** `off`: nothing at all, also no notice. */
type LogLimit = EventLevel | 'off';

/** What `DOORBELL_LOG` asks for: a level for everything, and levels for single packages (`warn,queues:debug`). */
export interface LogFilter {
  readonly general: LogLimit | undefined;
  readonly packages: ReadonlyMap<string, LogLimit>;
  /** Words that are no level: they have no effect. */
  readonly unknown: readonly string[];
}

/** Reads `DOORBELL_LOG`. */
export function parseLogFilter(text: string | undefined): LogFilter {
  let general: LogLimit | undefined;
  const packages = new Map<string, LogLimit>();
  const unknown: string[] = [];
  for (const part of (text ?? '').split(',').map((word) => word.trim())) {
    if (part === '') continue;
    const [name = '', level, ...rest] = part.split(':');
    const wanted = LIMITS.find((candidate) => candidate === (level ?? name));
    if (wanted === undefined || rest.length > 0 || name === '') unknown.push(part);
    else if (level === undefined) general = wanted;
    else packages.set(name, wanted);
  }
  return { general, packages, unknown };
}

/** What the environment asks to print: `DOORBELL_LOG`, and HotSwap's log as `HSA_HOTSWAP_VERBOSE` has it printed. */
export function readLogFilter(env: Env): LogFilter {
  const filter = parseLogFilter(env['DOORBELL_LOG']);
  const isSilent = filter.general === 'off' || filter.packages.has('hotswap-tool');
  return isSilent || !readHotSwapEnvironment(env).verbose
    ? filter
    : { ...filter, packages: new Map([...filter.packages, ['hotswap-tool', 'info']]) };
}
