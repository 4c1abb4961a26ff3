import type { EventHub } from './event-hub.js';

/**
 * What happens between hsa_init and its return, in ROCr's order (hsa-init §4, steps 1–17). Each step is published when it ends, on
 * the channel `@doorbell/runtime:load-step`; steps that this runtime has nothing to do in say why.
 */
export const LOAD_STEPS = [
  'cpu-features',
  'flags',
  'thunk-loader',
  'thunk-abi',
  'thunk-instance',
  'wait-mode',
  'drivers',
  'topology',
  'clocks',
  'error-handlers',
  'code-object-loader',
  'extensions',
  'agents',
  'tools',
  'virtual-memory',
  'ipc',
  'svm-profile',
] as const;

export type LoadStep = (typeof LOAD_STEPS)[number];

/** Runs and publishes the steps. */
export class LoadSteps {
  readonly #events: EventHub;

  constructor(events: EventHub) {
    this.#events = events;
  }

  run<T>(step: LoadStep, run: () => T): T {
    const started = performance.now();
    const result = run();
    this.done(step, { started });
    return result;
  }

  /** For steps that wait: published by whoever waited. */
  done(
    step: LoadStep,
    { started, details = {} }: { readonly started: number; readonly details?: Readonly<Record<string, unknown>> },
  ): void {
    this.#publish(step, `loaded: ${step}`, { state: 'done', ms: performance.now() - started, ...details });
  }

  skip(step: LoadStep, reason: string): void {
    this.#publish(step, `skipped: ${step}: ${reason}`, { state: 'skipped', reason });
  }

  #publish(step: LoadStep, message: string, details: Readonly<Record<string, unknown>>): void {
    this.#events.publish({ source: 'runtime', name: 'load-step', level: 'debug', message, details: { step, ...details } });
  }
}
