import type { KfdDevice, StructValue, Fields } from '@doorbell/abi';
import { errnoName } from '../errno.js';
import type { KnownIoctl } from './ioctl-table.js';
import { findIoctl } from './ioctl-table.js';
import type { TraceSink } from './trace-event.js';
import { emit } from './trace-event.js';
import { traceSysfs } from './trace-sysfs.js';

/** Host buffers of a device, to show what pointers in arguments point at. */
type Buffers = Map<bigint, Uint8Array>;

/**
 * The same device, with each of its calls told to `trace`: ioctls with their arguments as the kernel's header names them and
 * what the driver wrote, mappings, render nodes, the sysfs tree. Doorbells are not traced.
 */
export function traceDevice(device: KfdDevice, trace: TraceSink): KfdDevice {
  const buffers: Buffers = new Map();
  const special = {
    sysfs: traceSysfs(device.sysfs, trace),
    ioctl(request: number, arg: Uint8Array): number {
      const seen = new IoctlView(request, arg, buffers);
      const result = device.ioctl(request, arg);
      emit(trace, seen.finish(result));
      return result;
    },
    async waitIoctl(request: number, arg: Uint8Array): Promise<number> {
      const seen = new IoctlView(request, arg, buffers);
      const result = await device.waitIoctl(request, arg);
      emit(trace, seen.finish(result));
      return result;
    },
    hostBuffer(sizeBytes: number): ReturnType<KfdDevice['hostBuffer']> {
      const buffer = device.hostBuffer(sizeBytes);
      buffers.set(buffer.address, buffer.bytes);
      const release = (): void => {
        buffers.delete(buffer.address);
        buffer[Symbol.dispose]();
      };
      return { address: buffer.address, bytes: buffer.bytes, [Symbol.dispose]: release };
    },
    openRenderNode(minor: number): number {
      const result = device.openRenderNode(minor);
      emit(trace, { step: 'open', path: `/dev/dri/renderD${minor}`, outcome: result < 0 ? outcomeOf(result) : `file ${result}` });
      return result;
    },
  };
  // A proxy and not a list of methods: whatever else a device can do goes through, and is told by its name.
  return new Proxy(device, {
    get(target, key) {
      if (Object.hasOwn(special, key)) return Reflect.get(special, key) as unknown;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        // Private members belong to the device itself, which must be `this`.
        const result: unknown = Reflect.apply(value, target, args);
        if (typeof key === 'string')
          emit(trace, { step: 'memory', call: key, args: nameArguments(key, args), outcome: describeResult(result) });
        return result;
      };
    },
  });
}

/** An ioctl while it runs: its arguments before, what changed after. */
class IoctlView {
  readonly #request: number;
  readonly #arg: Uint8Array;
  readonly #known: KnownIoctl | undefined;
  readonly #before: StructValue<Fields> | undefined;
  readonly #args: Record<string, unknown>;
  readonly #buffers: Buffers;

  constructor(request: number, arg: Uint8Array, buffers: Buffers) {
    this.#request = request;
    this.#arg = arg;
    this.#buffers = buffers;
    this.#known = findIoctl(request);
    this.#before = this.#read();
    this.#args = notZero(this.#before);
    Object.assign(this.#args, this.#arrays(this.#before));
  }

  finish(result: number) {
    const after = this.#read();
    const changed: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(after ?? {})) {
      if (!isSame(value, this.#before?.[name])) changed[name] = value;
    }
    const arrays = this.#arrays(after);
    for (const [name, value] of Object.entries(arrays)) {
      if (!isSame(value, this.#args[name])) changed[name] = value;
    }
    return {
      step: 'ioctl',
      name: this.#known?.name ?? `0x${this.#request.toString(16)}`,
      request: this.#request,
      args: this.#args,
      result: changed,
      outcome: outcomeOf(result),
    } as const;
  }

  /** The structure; one from an older header is shorter, and its missing members are zero. */
  #read(): StructValue<Fields> | undefined {
    const layout = this.#known?.layout;
    if (layout === undefined) return undefined;
    const bytes = new Uint8Array(layout.sizeBytes);
    bytes.set(this.#arg.subarray(0, layout.sizeBytes));
    return layout.read(bytes);
  }

  #arrays(value: StructValue<Fields> | undefined): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    for (const { pointer, count, element } of this.#known?.arrays ?? []) {
      const address = value?.[pointer];
      const bytes = typeof address === 'bigint' ? this.#buffers.get(address) : undefined;
      if (bytes === undefined) continue;
      const elementBytes = element === 'u32' ? 4 : element.sizeBytes;
      const elements = Math.min(Number(value?.[count] ?? 0), Math.floor(bytes.length / elementBytes), MAX_SHOWN);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      shown[`*${pointer}`] = Array.from({ length: elements }, (_, i) =>
        element === 'u32' ? view.getUint32(i * 4, true) : notZero(element.read(bytes, i * elementBytes)),
      );
    }
    return shown;
  }
}

/** Elements of an array that are shown. */
const MAX_SHOWN = 64;

function notZero(value: StructValue<Fields> | undefined): Record<string, unknown> {
  const isZero = (field: unknown): boolean => field === 0 || field === 0n || (Array.isArray(field) && field.every(isZero));
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([name, field]) => !isZero(field) && !/^(pad|reserved)/.test(name)),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || text(a) === text(b);
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field)) ?? '';
}

function outcomeOf(result: number): string {
  return result < 0 ? `${errnoName(-result)} (${-result})` : result === 0 ? 'ok' : String(result);
}

/** Names of the arguments of calls that take values and no options. */
const ARGUMENT_NAMES: Readonly<Record<string, readonly string[]>> = {
  release: ['address', 'sizeBytes'],
  closeRenderNode: ['file'],
  drmIoctl: ['file', 'request'],
};

function nameArguments(call: string, args: readonly unknown[]): Record<string, unknown> {
  const [first] = args;
  const names = ARGUMENT_NAMES[call];
  const isOptions = names === undefined && typeof first === 'object' && first !== null;
  const fields = isOptions ? Object.entries(first) : args.map((value, i) => [names?.[i] ?? `${i}`, value] as const);
  return Object.fromEntries(fields.filter(([, value]) => !(value instanceof Uint8Array)));
}

function describeResult(result: unknown): string {
  if (typeof result === 'number') return outcomeOf(result);
  if (typeof result === 'bigint') return `0x${result.toString(16)}`;
  if (typeof result === 'object' && result !== null && 'address' in result && typeof result.address === 'bigint') {
    return `0x${result.address.toString(16)}`;
  }
  return 'ok';
}
