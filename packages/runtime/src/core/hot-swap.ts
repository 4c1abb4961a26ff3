import type { InstalledHotSwap } from '@doorbell/hotswap-tool';
import { installHotSwap } from '@doorbell/hotswap-tool';
import type { Env } from './flags.js';
import { readDescriptor } from './files.js';
import type { Runtime } from './runtime.js';

/** Puts HotSwap into a runtime's public table, with what the runtime can do beyond it. It does nothing unless its gate opens. */
export function installHotSwapIn(
  { tables, events, loader }: Pick<Runtime, 'tables' | 'events' | 'loader'>,
  env: Env,
): InstalledHotSwap {
  return installHotSwap(tables.public, {
    env,
    events,
    host: {
      readMemory: (address, sizeBytes) => loader.bytesOf(address, sizeBytes),
      readFile: readDescriptor,
      deriveReader: (original, bytes) => loader.deriveReader(original, bytes),
    },
  });
}
