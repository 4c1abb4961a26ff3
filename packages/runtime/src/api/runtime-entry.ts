import type { Runtime as LoadedRuntime, RuntimeOptions } from '../core/runtime.js';

/** The HSA runtime: everything behind the API tables. */
export type Runtime = LoadedRuntime;

/** Opens it. It is loaded when it is first needed. */
export const Runtime: { readonly acquire: (options?: RuntimeOptions) => Promise<LoadedRuntime> } = {
  /**
   * Opens the runtime, or counts one more user of it.
   * @throws {HsaError} the step's own error: never flattened to «out of resources».
   */
  async acquire(options) {
    const loaded = await import('../core/runtime.js');
    return loaded.Runtime.acquire(options);
  },
};
