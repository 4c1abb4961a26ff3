/** The API tables as C programs have them (hsa_api_trace.h), over those of TypeScript. */
import type { EventSink, HsaFunctionName } from '@doorbell/abi';
import { hsa, HSA_FUNCTIONS, HsaError, releaseAll } from '@doorbell/abi';
import type { AnyFunction, HsaApiTable, NativeSlot } from '@doorbell/api-table';
import { createSlot, layoutNativeTables, statusOf, TABLE_NAMES } from '@doorbell/api-table';
import type { ForeignFunctions } from '@doorbell/thunk-loader';
import type { Border } from './border.js';
import { KeptStrings } from './border.js';
import { answerCall } from './call-from-c.js';
import { callInC, CodeObjectBytes } from './call-to-c.js';
import { Callbacks } from './callbacks.js';
import { resultForC, writeElement } from './elements.js';
import { INEXPRESSIBLE, signatureOf } from './parameters.js';
import { Scratch } from './scratch.js';
import { UserData } from './user-data.js';

export interface NativeTablesOptions {
  readonly ffi: ForeignFunctions;
  readonly events: EventSink;
  readonly isInitialized: () => boolean;
  /** Whether an address lies in memory that the runtime handed out. */
  readonly isRuntimeMemory: (address: bigint) => boolean;
}

/** One slot on both sides. */
interface Slot {
  readonly native: NativeSlot;
  /** Index in 64-bit words of the block. */
  readonly word: number;
  /** The C function that stands for what was in the slot; 0n in the tools table. */
  readonly own: bigint;
  /** What was in the slot, and what is there now. */
  readonly below: AnyFunction | null;
  readonly live: AnyFunction;
}

/**
 * One block of C memory with the root table and the six others, one C function pointer for each slot. Whatever C code writes there
 * takes effect at once: a slot of the TypeScript table calls what its pointer says. What lies below a slot is what was in the TypeScript
 * table when the view was made.
 */
export class NativeTables {
  /** `HsaApiTable *`. */
  readonly address: bigint;
  readonly #tables: HsaApiTable;
  readonly #options: NativeTablesOptions;
  readonly #border: Border;
  readonly #codeObjects: CodeObjectBytes;
  readonly #words: BigUint64Array;
  readonly #slots: readonly Slot[];
  #detached = false;

  /** @throws {HsaError} ERR_OUT_OF_MEMORY. */
  constructor(tables: HsaApiTable, options: NativeTablesOptions) {
    const { ffi, events } = options;
    this.#tables = tables;
    this.#options = options;
    const scratch = new Scratch(ffi);
    const userData = new UserData();
    const report = (name: string, error: unknown): void =>
      events.publish({
        source: 'runtime',
        name: 'callback-failed',
        level: 'error',
        message: `${name}: ${error instanceof Error ? error.message : String(error)}`,
        details: { callback: name, error },
      });
    const callbacks = new Callbacks({ ffi, scratch, userData, report });
    const { isRuntimeMemory } = options;
    this.#border = { ffi, scratch, userData, callbacks, strings: new KeptStrings(ffi), isRuntimeMemory };
    this.#codeObjects = new CodeObjectBytes(this.#border);
    const layout = layoutNativeTables();
    this.address = ffi.allocate(layout.sizeBytes);
    const block = ffi.view(this.address, layout.sizeBytes);
    this.#words = new BigUint64Array(block.buffer, block.byteOffset, layout.sizeBytes / 8);
    writeVersion(block, 0, tables.version);
    for (const table of TABLE_NAMES) {
      const { offset, pointerOffset } = layout.tables[table];
      writeVersion(block, offset, tables[table].version);
      writeElement(block, pointerOffset, { kind: 'pointer' }, this.address + BigInt(offset));
    }
    this.#slots = layout.slots.map((native) => this.#createSlot(native));
  }

  /**
   * Takes up what a tool has left in the tables after its `OnLoad`: callbacks in the tools table, which are `null` until then.
   * Gives the slots that the tool took, and reports those of them that cannot be called from TypeScript.
   */
  takeUp(tool: string, before: readonly bigint[]): readonly HsaFunctionName[] {
    const taken = this.#slots.filter(({ word }, index) => this.#words[word] !== before[index]);
    for (const { native, live, word } of taken) {
      if (native.table === 'tools') this.#write(native, this.#words[word] === 0n ? null : live);
      const reason = INEXPRESSIBLE[native.name];
      if (reason === undefined) continue;
      this.#options.events.publish({
        source: 'runtime',
        name: 'tool-slot-passed-over',
        level: 'warn',
        message: `${tool} took ${native.name}, which TypeScript cannot call in C: ${reason}; calls from TypeScript pass the tool over`,
        details: { tool, slot: native.name },
      });
    }
    return taken.map(({ native }) => native.name);
  }

  /** Runs `body` with a C array of C strings. */
  withStrings<T>(texts: readonly string[], body: (array: { readonly address: bigint; readonly count: number }) => T): T {
    const { scratch } = this.#border;
    return scratch.scoped(() => {
      const { address, bytes } = scratch.take(8 * texts.length);
      texts.forEach((text, index) => writeElement(bytes, 8 * index, { kind: 'pointer' }, scratch.takeString(text)));
      return body({ address, count: texts.length });
    });
  }

  /** The pointers now, in the order of the slots. */
  pointers(): readonly bigint[] {
    return this.#slots.map(({ word }) => this.#words[word] ?? 0n);
  }

  /** Puts the pointers back: what a tool left that refused to load. */
  restorePointers(pointers: readonly bigint[]): void {
    this.#slots.forEach(({ word }, index) => (this.#words[word] = pointers[index] ?? 0n));
  }

  /** Makes every slot call what lay below it again; C code may still call its function pointers. */
  detach(): void {
    this.#detached = true;
    for (const { native, below, live } of this.#slots) {
      // Somebody's wrapper on top calls the live function still.
      if (Reflect.get(this.#tables[native.table], native.name) === live) this.#write(native, below);
    }
  }

  /** Frees everything that C has of TypeScript: no C code may call any more. */
  dispose(): void {
    const { ffi, callbacks, scratch, strings } = this.#border;
    releaseAll(
      [
        () => this.detach(),
        ...this.#slots
          .filter(({ own }) => own !== 0n)
          .map(
            ({ own }) =>
              () =>
                ffi.unregister(own),
          ),
        () => callbacks.dispose(),
        () => this.#codeObjects.dispose(),
        () => strings.dispose(),
        () => scratch.dispose(),
        () => ffi.free(this.address),
      ],
      'the native view of the API tables was left behind',
    );
  }

  #createSlot(native: NativeSlot): Slot {
    const { name, table } = native;
    const word = native.offset / 8;
    const found: unknown = Reflect.get(this.#tables[table], name);
    const below = typeof found === 'function' ? (found as AnyFunction) : null; // Safe: slots pass their arguments on.
    const own = below === null ? 0n : this.#register(name, below);
    this.#words[word] = own;
    const inC = createSlot(name, (...args) => this.#callInC(name, this.#words[word] ?? 0n, args), this.#options);
    const staysHere = INEXPRESSIBLE[name] !== undefined;
    const live: AnyFunction = (...args) => {
      if (below !== null && (this.#detached || staysHere || this.#words[word] === own)) return below(...args);
      return inC(...args);
    };
    Object.defineProperty(live, 'name', { value: name });
    if (below !== null) this.#write(native, live);
    return { native, word, own, below, live };
  }

  #register(name: HsaFunctionName, below: AnyFunction): bigint {
    const { ffi, events } = this.#options;
    const signature = HSA_FUNCTIONS[name];
    const reason = INEXPRESSIBLE[name];
    const { returns } = signatureOf(signature);
    return ffi.register(signatureOf(signature), (...args) => {
      try {
        if (reason !== undefined) this.#refuse(name, reason);
        return resultForC(returns, answerCall(this.#border, signature, below, args));
      } catch (error) {
        return resultForC(returns, statusOf(signature, error, events));
      }
    });
  }

  #callInC(name: HsaFunctionName, address: bigint, args: readonly unknown[]): unknown {
    // A tool may have taken its function out again: an empty slot of the tools table does nothing.
    if (address === 0n || this.#detached) return 0;
    return callInC(this.#border, { signature: HSA_FUNCTIONS[name], address, codeObjects: this.#codeObjects }, args);
  }

  #refuse(name: HsaFunctionName, reason: string): never {
    const message = `${name} cannot be called from C: ${reason}`;
    this.#options.events.publish({ source: 'runtime', name: 'slot-not-native', level: 'warn', message, details: { slot: name } });
    throw new HsaError('ERR_NOT_SUPPORTED', { message, hsaStatus: hsa.HSA_STATUS_ERROR });
  }

  #write({ table, name }: NativeSlot, value: AnyFunction | null): void {
    Reflect.set(this.#tables[table], name, value);
  }
}

function writeVersion(block: Uint8Array, offset: number, { major, minor, step, reserved }: HsaApiTable['version']): void {
  [major, minor, step, reserved].forEach((word, index) => writeElement(block, offset + 4 * index, { kind: 'u32' }, word));
}
