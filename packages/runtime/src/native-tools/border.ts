import type { ForeignFunctions } from '@doorbell/thunk-loader';
import type { Callbacks } from './callbacks.js';
import type { Scratch } from './scratch.js';
import type { UserData } from './user-data.js';

/** What both directions of a call across the border use. */
export interface Border {
  readonly ffi: ForeignFunctions;
  readonly scratch: Scratch;
  readonly userData: UserData;
  readonly callbacks: Callbacks;
  /** C strings that callers keep a pointer to. */
  readonly strings: KeptStrings;
  /** Whether an address lies in memory that the runtime handed out: it has its own view of it. */
  readonly isRuntimeMemory: (address: bigint) => boolean;
}

/** Strings that C was given for good, each once. They are few: names of statuses and extensions, the build's version. */
export class KeptStrings {
  readonly #ffi: ForeignFunctions;
  readonly #addresses = new Map<string, bigint>();

  constructor(ffi: ForeignFunctions) {
    this.#ffi = ffi;
  }

  addressOf(text: string): bigint {
    let address = this.#addresses.get(text);
    if (address === undefined) {
      const bytes = new TextEncoder().encode(text);
      address = this.#ffi.allocate(bytes.length + 1);
      this.#ffi.view(address, bytes.length + 1).set(bytes);
      this.#addresses.set(text, address);
    }
    return address;
  }

  dispose(): void {
    for (const address of this.#addresses.values()) this.#ffi.free(address);
    this.#addresses.clear();
  }
}
