import type { HotSwapHookOptions, InstalledHotSwap } from '@doorbell/hotswap-tool/hook';
import { installHotSwapHook, readHotSwapEnvironment, rewriteSteppings } from '@doorbell/hotswap-tool/hook';
import type { HsaApiTable } from '@doorbell/api-table';
import type { Env } from './flags.js';
import { readDescriptor } from './files.js';
import type { Runtime } from './runtime.js';

/** Puts HotSwap into a table. */
export type InstallHotSwap = (table: HsaApiTable, options: Omit<HotSwapHookOptions, 'rewriter'>) => InstalledHotSwap;

/** HotSwap for an environment: the rewriter that retargets, and the instruction sets that it reads, are loaded where it is asked for. */
export async function loadHotSwap(env: Env): Promise<InstallHotSwap> {
  const { disabled, retarget } = readHotSwapEnvironment(env);
  if (retarget && !disabled) return (await import('@doorbell/hotswap-tool')).installHotSwap;
  return (table, options) => installHotSwapHook(table, { ...options, rewriter: rewriteSteppings });
}

/** Puts it into a runtime's public table, with what the runtime can do beyond it. It does nothing unless its gate opens. */
export function installHotSwapIn(
  { tables, events, loader }: Pick<Runtime, 'tables' | 'events' | 'loader'>,
  { env, install }: { readonly env: Env; readonly install: InstallHotSwap },
): InstalledHotSwap {
  return install(tables.public, {
    env,
    events,
    host: {
      readMemory: (address, sizeBytes) => loader.bytesOf(address, sizeBytes),
      readFile: readDescriptor,
      deriveReader: (original, bytes) => loader.deriveReader(original, bytes),
    },
  });
}
