/** Variables whose values mean nothing: what is wrong, and what counts instead. */
import { listGfxOverrides, malformedVisibleDevices, readGfxOverrides } from '@doorbell/topology';
import type { EventHub } from './event-hub.js';
import type { Env } from './flags.js';
import { LOG_LEVELS, parseLogFilter } from './log-filter.js';

/** A variable that is set to something it cannot be. */
export interface FlagProblem {
  readonly variable: string;
  readonly value: string;
  /** What is wrong with the value, and what follows. */
  readonly reason: string;
  /** One action the reader can take. */
  readonly hint: string;
}

/** Every variable of the runtime that is malformed, whatever devices there are. */
export function findFlagProblems(env: Env): readonly FlagProblem[] {
  return [...logProblems(env), ...visibleProblems(env), ...overrideProblems(env), ...numberProblems(env)];
}

const LOG_VARIABLE = 'DOORBELL_LOG';
let isLogProblemTold = false;

/** Publishes each problem. */
export function publishFlagProblems(events: EventHub, problems: readonly FlagProblem[]): void {
  for (const problem of problems) {
    const { variable, value } = problem;
    const message = formatProblem(problem);
    events.publish({ source: 'runtime', name: 'malformed-variable', level: 'warn', message, details: { variable, value } });
  }
}

/** What is wrong with DOORBELL_LOG itself, for the first who asks: whoever set it waits for events that do not come. */
export function takeLogProblem(problems: readonly FlagProblem[]): string | undefined {
  const problem = problems.find(({ variable }) => variable === LOG_VARIABLE);
  if (problem === undefined || isLogProblemTold) return undefined;
  isLogProblemTold = true;
  return formatProblem(problem);
}

/** A problem in one line. */
export function formatProblem({ variable, value, reason, hint }: FlagProblem): string {
  return `${variable}=${value}: ${reason}. ${hint}`;
}

function logProblems(env: Env): readonly FlagProblem[] {
  const value = env[LOG_VARIABLE] ?? '';
  const { unknown } = parseLogFilter(value);
  if (unknown.length === 0) return [];
  const words = unknown.map((word) => JSON.stringify(word)).join(', ');
  const hint = `Write a level (off, ${LOG_LEVELS.join(', ')}), or levels of packages: warn,queues:debug.`;
  return [{ variable: LOG_VARIABLE, value, reason: `${words} is no level and has no effect`, hint }];
}

function visibleProblems(env: Env): readonly FlagProblem[] {
  const variable = 'ROCR_VISIBLE_DEVICES';
  const value = env[variable] ?? '';
  const reason = malformedVisibleDevices(value);
  if (reason === undefined) return [];
  const hint = `Unset ${variable}, or list indices or UUIDs: 0,GPU-1234567890abcdef.`;
  return [{ variable, value, reason: `the list ${reason}; GPUs that are not named before it are hidden`, hint }];
}

function overrideProblems(env: Env): readonly FlagProblem[] {
  const overrides = readGfxOverrides(env);
  const settings = overrides === undefined ? [] : listGfxOverrides(overrides);
  return settings
    .filter(({ isVersion }) => !isVersion)
    .map(({ variable, value }) => ({
      variable,
      value,
      reason: 'it is not major.minor.stepping; the GPUs that it applies to are left out',
      hint: `Unset ${variable}, or set it to a version like 10.3.0.`,
    }));
}

function numberProblems(env: Env): readonly FlagProblem[] {
  const problems: FlagProblem[] = [];
  const check = (variable: string, isGood: (value: string) => boolean, what: Pick<FlagProblem, 'reason' | 'hint'>): void => {
    const value = env[variable];
    if (value !== undefined && value !== '' && !isGood(value)) problems.push({ variable, value, ...what });
  };
  check('HSA_MAX_QUEUES', (value) => /^\d{1,9}$/.test(value), {
    reason: 'it is no count and has no effect',
    hint: 'Unset HSA_MAX_QUEUES, or set it to 1 to 128.',
  });
  check('HSA_FORCE_FINE_GRAIN_PCIE', (value) => value === '0' || value === '1', {
    reason: 'it is neither 0 nor 1 and has no effect',
    hint: 'Set HSA_FORCE_FINE_GRAIN_PCIE to 1, or unset it.',
  });
  return problems;
}
