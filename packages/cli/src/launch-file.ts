import { HsaError, openDevice } from '@doorbell/runtime';
import { codeObject } from '@doorbell/runtime/layers';
import type { DeviceBuffer, DeviceChoice, KernelTiming, ScalarType, TypedArray } from '@doorbell/runtime';
import { writeFile } from 'node:fs/promises';
import { fileError, readBytes } from './code-file.js';
import { elementBytes, elementsOf, randomElements, summarize } from './elements.js';
import type { Summary } from './elements.js';
import { UsageError } from './failures.js';
import type { ArgRequest, BufferRequest, NamedRequest } from './kernel-arguments.js';
import { requirePointer, scalarValue } from './kernel-arguments.js';

/** Work-items in one, two or three dimensions. */
export type Sizes = readonly [x: number, y?: number, z?: number];

/** What to run; see {@link launchFile}. */
export interface LaunchRequest {
  readonly path: string;
  readonly kernel: string;
  readonly grid: Sizes;
  readonly workgroup: Sizes;
  readonly args: readonly NamedRequest[];
  readonly dynamicLdsBytes: number;
  readonly timeoutMs: number | undefined;
  readonly device: DeviceChoice;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** A buffer that the kernel may have written: where it went, or what is in it. */
export type ResultReport = { readonly name: string } & (
  | { readonly file: string; readonly sizeBytes: number; readonly type: ScalarType; readonly length: number }
  | Summary
);

/** What `doorbell run --json` prints. */
export interface RunReport {
  readonly file: string;
  readonly kernel: string;
  readonly target: string;
  readonly device: { readonly name: string; readonly isa: string; readonly backend: string };
  readonly grid: Sizes;
  readonly workgroup: Sizes;
  readonly durationNs: number;
  readonly results: readonly ResultReport[];
}

/**
 * Opens a device, loads a file, launches one kernel and brings its results home. Arguments are checked against the kernel's
 * metadata, and input files read, before anything runs.
 *
 * @throws {UsageError} for arguments; {HsaError} of opening, loading and launching.
 */
export async function launchFile(request: LaunchRequest): Promise<RunReport> {
  const { path, signal } = request;
  const bytes = await readBytes(path, signal);
  await using device = await openDevice({ ...request.device, signal });
  using module = await device.load(bytes, { signal });
  const plan = await planArguments(codeObject.findKernel(loadedCode(bytes, device.isa), request.kernel), request);
  const kernel = module.kernel(request.kernel);
  const buffers = new Map<string, DeviceBuffer>();
  try {
    const args: Record<string, unknown> = {};
    for (const { name, value, buffer } of plan) {
      args[name] = value;
      if (!buffer) continue;
      const made: DeviceBuffer = device.alloc(buffer.type, buffer.length, { label: name });
      buffers.set(name, made);
      if (buffer.makeData) await made.write(buffer.makeData());
      args[name] = made;
    }
    using _ = device.on('progress', (p) => request.onProgress(p.workgroupsDone, p.workgroupsTotal));
    const { grid, workgroup, dynamicLdsBytes, timeoutMs } = request;
    // Safe: the kernel has no signature; the arguments are checked by name and kind at launch.
    const options = { grid, workgroup, args: args as never, dynamicLdsBytes, signal };
    const timing: KernelTiming = await kernel.launch(timeoutMs === undefined ? options : { ...options, timeoutMs });
    const results: ResultReport[] = [];
    for (const { name, request: asked } of request.args) {
      const buffer = buffers.get(name);
      if (buffer && isResult(asked)) results.push(await report(name, asked, buffer, signal));
    }
    return {
      file: path,
      kernel: kernel.name,
      target: module.target,
      device: { name: device.name, isa: device.isa, backend: device.backend },
      grid,
      workgroup,
      durationNs: timing.durationNs,
      results,
    };
  } finally {
    for (const buffer of buffers.values()) buffer.dispose();
  }
}

/** The code object that a device takes out of a file: the best for it, made for a relative where HotSwap retargets it at load. */
function loadedCode(bytes: Uint8Array, isa: string): codeObject.CodeObject {
  const { format, entries } = codeObject.parseDeviceFile(bytes);
  const [best] = format === 'code-object' ? [] : codeObject.rankEntries(entries, codeObject.parseTargetId(isa));
  return codeObject.parseCodeObject(best?.entry.bytes ?? bytes);
}

type ResultRequest = Exclude<BufferRequest, { readonly kind: 'in' | 'rand' }>;

/** An argument of the kernel: a value, or the contents of a buffer. */
interface PlannedArgument {
  readonly name: string;
  readonly value?: unknown;
  readonly buffer?: BufferContents;
}

interface BufferContents {
  readonly type: ScalarType;
  readonly length: number;
  /** Absent: zeros. Called when the buffer is there: a device refuses a size before this fills that much memory. */
  readonly makeData?: () => TypedArray;
}

async function planArguments(kernel: codeObject.KernelInfo, { args, signal }: LaunchRequest): Promise<PlannedArgument[]> {
  const { slots } = codeObject.layoutKernarg(kernel);
  const takes = `${kernel.name} takes ${slots.length === 0 ? 'no arguments' : `(${slots.map((slot) => slot.name).join(', ')})`}`;
  const given = new Map(args.map(({ name, request }) => [name, request]));
  const missing = slots.filter(({ name }) => !given.has(name)).map(({ name }) => name);
  if (missing.length > 0)
    throw new UsageError(`${takes}: no --arg for ${missing.join(', ')}`, 'doorbell inspect shows the arguments.');
  const planned: PlannedArgument[] = [];
  for (const { name, request } of args) {
    const slot = slots.find((candidate) => candidate.name === name);
    if (slot === undefined) throw new UsageError(`${takes}: there is no ${name}`, 'doorbell inspect shows the arguments.');
    if (isBuffer(request)) {
      requirePointer(slot);
      planned.push({ name, buffer: await contentsOf(name, request, signal) });
    } else {
      planned.push({ name, value: scalarValue(slot, request) });
    }
  }
  return planned;
}

function isBuffer(request: ArgRequest): request is BufferRequest {
  return request.kind !== 'scalar' && request.kind !== 'bytes' && request.kind !== 'lds';
}

function isResult(request: ArgRequest): request is ResultRequest {
  return request.kind === 'out' || request.kind === 'inout' || request.kind === 'zero';
}

async function contentsOf(name: string, request: BufferRequest, signal: AbortSignal): Promise<BufferContents> {
  const { type } = request;
  switch (request.kind) {
    case 'in':
    case 'inout': {
      const bytes = await readBytes(request.inputPath, signal);
      const data = elementsOf(type, bytes);
      if (data) return { type, length: data.length, makeData: () => data };
      throw new UsageError(
        `argument ${name}: ${request.inputPath} has ${bytes.length} bytes, which is no whole number of ${type} elements (${elementBytes(type)} bytes)`,
      );
    }
    case 'rand':
      return { type, length: request.length, makeData: () => randomElements(type, request.length, request.seed) };
    case 'out':
    case 'zero':
      return { type, length: request.length };
  }
}

async function report(name: string, request: ResultRequest, buffer: DeviceBuffer, signal: AbortSignal): Promise<ResultReport> {
  const data = await buffer.read({ signal });
  const { type } = buffer;
  if (request.kind === 'zero' || request.outputPath === undefined) return { name, ...summarize(type, data) };
  const file = request.outputPath;
  try {
    await writeFile(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength), { signal });
  } catch (error) {
    if (signal.aborted) throw new HsaError('ERR_ABORTED', { message: `writing ${file} was aborted`, cause: signal.reason });
    throw fileError(file, { action: 'written', error });
  }
  return { name, file, sizeBytes: data.byteLength, type, length: data.length };
}
