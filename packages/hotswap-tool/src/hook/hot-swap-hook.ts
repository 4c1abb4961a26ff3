import type { AmdLoaderApi, CoreApi, Memory, Ref } from '@doorbell/abi';
import { AMD_LOADER_SLOTS, hsa, HsaError, isHsaError, ref } from '@doorbell/abi';
import type { HotSwapDecision } from '../decide.js';
import { decideLoad } from '../decide.js';
import type { HotSwapEnvironment } from '../environment.js';
import { fnv1a64 } from '../fnv.js';
import { STEPPED_PROCESSOR } from '../identity.js';
import { loadRewriteOutcome } from '../policy/load.js';
import { a0Gate } from '../policy/steppings.js';
import type { RewriteCache } from '../rewrite-cache.js';
import type { HotSwapRewriter } from '../rewriter.js';
import type { AgentQueries } from './agents.js';
import { AgentFacts } from './agents.js';
import { CapturedReaders } from './captured-readers.js';
import type { FileRegion, HotSwapHost } from './host.js';
import type { HotSwapLog } from './log.js';
import type { RetainedBytes } from './retained-bytes.js';

/** The functions that HotSwap itself calls, as they were when it was installed. */
type Originals = Readonly<
  AgentQueries & Pick<CoreApi, 'hsa_code_object_reader_create_from_memory' | 'hsa_code_object_reader_destroy'>
>;

export interface HotSwapHookParts {
  readonly originals: Originals;
  readonly env: HotSwapEnvironment;
  readonly log: HotSwapLog;
  readonly host: HotSwapHost;
  readonly rewriter: HotSwapRewriter;
  readonly cache: RewriteCache;
  readonly retained: RetainedBytes;
}

type CreateFromFile = AmdLoaderApi['hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size'];
const CREATE_FROM_FILE = 'hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size';
const { HSA_STATUS_SUCCESS, HSA_STATUS_ERROR, HSA_STATUS_ERROR_OUT_OF_RESOURCES } = hsa;

/** What HotSwap does in each of its slots: `next` is the function below. No callback throws. */
export class HotSwapHook {
  readonly #parts: HotSwapHookParts;
  readonly #agents: AgentFacts;
  readonly #readers: CapturedReaders;
  #isRemoved = false;

  constructor(parts: HotSwapHookParts) {
    this.#parts = parts;
    this.#agents = new AgentFacts(parts.originals);
    this.#readers = new CapturedReaders(parts.host);
  }

  /** What was captured goes; what the loader may still look at stays. */
  remove(): void {
    this.#isRemoved = true;
    this.#readers.clear();
  }

  createFromMemory(
    next: CoreApi['hsa_code_object_reader_create_from_memory'],
  ): CoreApi['hsa_code_object_reader_create_from_memory'] {
    return (codeObject, size, reader) =>
      this.#create('hsa_code_object_reader_create_from_memory', reader, {
        create: () => next(codeObject, size, reader),
        capture: (handle) => this.#captureMemory(handle, codeObject, Number(size)),
      });
  }

  createFromFile(next: CoreApi['hsa_code_object_reader_create_from_file']): CoreApi['hsa_code_object_reader_create_from_file'] {
    return (file, reader) =>
      this.#create('hsa_code_object_reader_create_from_file', reader, {
        create: () => next(file, reader),
        capture: (handle) => this.#captureFile(handle, file),
      });
  }

  destroyReader(next: CoreApi['hsa_code_object_reader_destroy']): CoreApi['hsa_code_object_reader_destroy'] {
    return (reader) =>
      this.#guard('hsa_code_object_reader_destroy', () => {
        const status = next(reader);
        // A reader that could not be destroyed may still be loaded from.
        if (status === HSA_STATUS_SUCCESS) this.#readers.drop(reader);
        return status;
      });
  }

  destroyExecutable(next: CoreApi['hsa_executable_destroy']): CoreApi['hsa_executable_destroy'] {
    return (executable) =>
      this.#guard('hsa_executable_destroy', () => {
        const status = next(executable);
        if (status === HSA_STATUS_SUCCESS) this.#parts.retained.release(executable);
        return status;
      });
  }

  loadForAgent(next: CoreApi['hsa_executable_load_agent_code_object']): CoreApi['hsa_executable_load_agent_code_object'] {
    return (executable, agent, reader, options, loaded) =>
      this.#guard('hsa_executable_load_agent_code_object', () =>
        this.#load({ executable, agent, reader, load: (from) => next(executable, agent, from, options, loaded) }),
      );
  }

  /** Such code goes to agents that are not named: to none while one of them may be A0. */
  loadForProgram(next: CoreApi['hsa_executable_load_program_code_object']): CoreApi['hsa_executable_load_program_code_object'] {
    return (executable, reader, options, loaded) =>
      this.#guard('hsa_executable_load_program_code_object', () =>
        this.#agents.a0 === 'none'
          ? next(executable, reader, options, loaded)
          : this.#refuse(
              hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
              `code is not loaded for a whole program while an agent may be ${STEPPED_PROCESSOR} A0`,
            ),
      );
  }

  /** The deprecated load has no reader whose bytes were seen. */
  loadDeprecated(next: CoreApi['hsa_executable_load_code_object']): CoreApi['hsa_executable_load_code_object'] {
    return (executable, agent, codeObject, options) =>
      this.#guard('hsa_executable_load_code_object', () => {
        const facts = this.#agents.a0 === 'none' ? 'none' : this.#agents.find(agent);
        const mayBeA0 = facts === undefined || (facts !== 'none' && a0Gate(facts) !== 'closed');
        return mayBeA0
          ? this.#refuse(
              hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
              `hsa_executable_load_code_object loads nothing for an agent that may be ${STEPPED_PROCESSOR} A0`,
            )
          : next(executable, agent, codeObject, options);
      });
  }

  /** Readers of files are made by the AMD loader extension too: its sixth function is watched in every table that is handed out. */
  extensionTable(next: CoreApi['hsa_system_get_major_extension_table']): CoreApi['hsa_system_get_major_extension_table'] {
    return (extension, major, length, table) =>
      this.#guard('hsa_system_get_major_extension_table', () => {
        const status = next(extension, major, length, table);
        if (status !== HSA_STATUS_SUCCESS || extension !== hsa.HSA_EXTENSION_AMD_LOADER || major !== 1) return status;
        if (length < BigInt(8 * (AMD_LOADER_SLOTS.indexOf(CREATE_FROM_FILE) + 1))) return status;
        const entries = table.value;
        if (typeof entries !== 'object' || entries === null) return status;
        const original: unknown = Reflect.get(entries, CREATE_FROM_FILE);
        // Safe: the slot's function by the extension's header; callers pass its arguments.
        if (typeof original === 'function')
          table.value = { ...entries, [CREATE_FROM_FILE]: this.#regionReader(original as CreateFromFile) };
        return status;
      });
  }

  #regionReader(next: CreateFromFile): CreateFromFile {
    return (file, offset, size, reader) =>
      this.#create(CREATE_FROM_FILE, reader, {
        create: () => next(file, offset, size, reader),
        capture: (handle) => this.#captureFile(handle, file, { offsetBytes: Number(offset), sizeBytes: Number(size) }),
      });
  }

  /** Whether anything on this machine could be done to a code object. */
  get #isNeeded(): boolean {
    const { retarget, strict, entryTrampolines } = this.#parts.env;
    return retarget || strict || entryTrampolines || this.#agents.a0 !== 'none';
  }

  /** Makes a reader and captures what it reads. Without the capture there is no reader: its load could not be judged. */
  #create(
    slot: string,
    reader: Ref<bigint> | null,
    steps: { readonly create: () => number; readonly capture: (handle: bigint) => void },
  ): number {
    return this.#guard(slot, () => {
      if (reader === null) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const status = steps.create();
      if (status !== HSA_STATUS_SUCCESS) return status;
      const handle = reader.value;
      // A tool below may have destroyed an older reader of this handle, which nobody told here.
      this.#readers.drop(handle);
      try {
        steps.capture(handle);
      } catch (error) {
        this.#parts.log.failed(slot, error);
        reader.value = 0n;
        this.#readers.drop(handle);
        this.#destroyReader(handle);
        return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
      }
      return status;
    });
  }

  #captureMemory(reader: bigint, codeObject: Memory, sizeBytes: number): void {
    // Only A0 silicon needs a copy: a retarget makes one of its own.
    const how = this.#agents.a0 === 'none' ? 'see' : 'own';
    this.#readers.captureMemory(reader, codeObject, { sizeBytes, how });
    this.#parts.log.tell('reader-created', `reader over ${sizeBytes} bytes`, { reader, size: sizeBytes });
  }

  #captureFile(reader: bigint, file: number, region?: FileRegion): void {
    if (!this.#isNeeded) return;
    this.#readers.captureFile(reader, file, region);
    const size = this.#readers.get(reader)?.bytes.length;
    this.#parts.log.tell('reader-created', `reader over ${size ?? 'unseen'} bytes of a file`, { reader, size });
  }

  #load(call: AgentLoad): number {
    const { agent: handle, reader, load } = call;
    const { env, log } = this.#parts;
    const captured = this.#readers.get(reader);
    if (!this.#isNeeded) {
      if (log.isVerbose && captured !== undefined) this.#tellDecision(handle, captured.bytes);
      return load(reader);
    }
    const agent = this.#agents.find(handle);
    if (agent === undefined) {
      if (this.#agents.a0 === 'none') return load(reader);
      return this.#refuse(hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'the agent does not tell its ISA: nobody knows whether it is A0');
    }
    const gate = a0Gate(agent);
    if (captured === undefined && gate === 'closed') {
      log.tell('load-decided', 'the bytes of this reader were not seen: handed on', { reader });
      return load(reader);
    }
    if (captured === undefined && gate === 'open') {
      return this.#refuse(
        hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
        `the bytes of this reader were not seen: nothing that was not judged is loaded on ${STEPPED_PROCESSOR} A0`,
      );
    }
    const decision = decideLoad(captured?.bytes ?? new Uint8Array(0), agent, env);
    switch (decision.action) {
      case 'refuse':
        return this.#refuse(decision.hsaStatus, decision.message);
      case 'pass':
        log.tell('load-decided', decision.message, factsOf(decision));
        // On A0 exactly what was judged is loaded; the reader of a file has its own copy, and its URI.
        return gate === 'open' && captured?.source === 'memory' ? this.#loadBytes(call, captured.bytes) : load(reader);
      case 'rewrite':
        return this.#loadRewritten(call, decision, captured?.bytes ?? new Uint8Array(0));
    }
  }

  #loadRewritten(call: AgentLoad, decision: HotSwapDecision & { action: 'rewrite' }, bytes: Uint8Array): number {
    const { cache, rewriter, log } = this.#parts;
    const { request, required, message } = decision;
    const { outcome, isReused } = cache.get(bytes, request, () => rewriter(bytes, request));
    const { status, loaded } = loadRewriteOutcome(outcome, {
      required,
      calls: {
        original: () => call.load(call.reader),
        rewritten: (made) => this.#loadBytes(call, made),
      },
    });
    const isRefused = outcome.status === 'refused';
    const details = {
      ...factsOf(decision),
      source_id: `fnv1a64:${log.isVerbose || isRefused ? fnv1a64(bytes) : ''}`,
    };
    log.tell('load-rewritten', message, {
      ...details,
      ...(request.flags === undefined ? {} : { input_revision: 'b0', output_revision: request.flags.strict ? 'b0' : 'a0' }),
      outcome: isRefused ? (isReused ? 'reused_failure' : 'translation_failed') : isReused ? 'reused' : 'translated',
      changed: outcome.status === 'rewritten',
      input_bytes: bytes.length,
      output_bytes: outcome.status === 'rewritten' ? outcome.bytes.length : 0,
      translation_status: isRefused ? hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT : HSA_STATUS_SUCCESS,
      loaded,
      status,
    });
    const why = isRefused ? outcome.reason : 'the loader refused what was made of it';
    if (required && loaded === 'nothing') return this.#refuse(status, `${message}: ${why}`);
    if (isRefused) log.warn('rewrite-refused', `${message}; it does not: ${why}`, details);
    return status;
  }

  /** Loads other bytes than the reader's own: by a reader that lives as long as the load, over bytes that live as the executable. */
  #loadBytes({ executable, reader, load }: AgentLoad, bytes: Uint8Array): number {
    const drop = this.#parts.retained.hold(executable, bytes);
    let status: number = HSA_STATUS_ERROR;
    try {
      const transient = ref(0n);
      status = this.#createReader(reader, bytes, transient);
      if (status !== HSA_STATUS_SUCCESS) return status;
      try {
        status = HSA_STATUS_ERROR;
        status = load(transient.value);
        return status;
      } finally {
        this.#destroyReader(transient.value);
      }
    } finally {
      if (status !== HSA_STATUS_SUCCESS) drop();
    }
  }

  #createReader(original: bigint, bytes: Uint8Array, reader: Ref<bigint>): number {
    const { host, originals } = this.#parts;
    if (host.deriveReader === undefined)
      return originals.hsa_code_object_reader_create_from_memory(bytes, BigInt(bytes.length), reader);
    reader.value = host.deriveReader(original, bytes);
    return HSA_STATUS_SUCCESS;
  }

  #destroyReader(reader: bigint): void {
    const { originals, log } = this.#parts;
    let why: string;
    try {
      const status = originals.hsa_code_object_reader_destroy(reader);
      if (status === HSA_STATUS_SUCCESS) return;
      why = `status ${status}`;
    } catch (error) {
      // The load, or the refusal, that this reader served is decided already: its status is what callers must see.
      why = String(error);
    }
    log.warn('reader-left-behind', `a reader of HotSwap's own could not be destroyed: ${why}`, { reader });
  }

  #refuse(hsaStatus: number, message: string): number {
    this.#parts.log.refused(new HsaError('ERR_CODE_OBJECT', { message, hsaStatus }));
    return hsaStatus;
  }

  #tellDecision(handle: bigint, bytes: Uint8Array): void {
    const { env, log } = this.#parts;
    try {
      const agent = this.#agents.find(handle);
      if (agent === undefined) return;
      const decision = decideLoad(bytes, agent, env);
      log.tell('load-decided', decision.message, factsOf(decision));
    } catch (error) {
      // Only the log wanted to know: the load itself needs no decision here.
      log.tell('inspection-failed', `handed on without a decision: ${String(error)}`, { error });
    }
  }

  /** The boundary to C: allocation failures are OUT_OF_RESOURCES, whatever else is thrown is HSA_STATUS_ERROR. */
  #guard(slot: string, run: () => number): number {
    // Somebody kept a function of the loader extension.
    if (this.#isRemoved) return HSA_STATUS_ERROR;
    try {
      return run();
    } catch (error) {
      this.#parts.log.failed(slot, error);
      // JavaScript says by a RangeError that an array cannot be had.
      const isAllocation = error instanceof RangeError || isHsaError(error, 'ERR_OUT_OF_MEMORY');
      return isAllocation ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_ERROR;
    }
  }
}

/** A load for an agent; `load` calls the function below with a reader. */
interface AgentLoad {
  readonly executable: bigint;
  readonly agent: bigint;
  readonly reader: bigint;
  readonly load: (reader: bigint) => number;
}

function factsOf(decision: HotSwapDecision): Readonly<Record<string, unknown>> {
  const { action, reason, identity } = decision;
  return {
    action,
    reason,
    isaName: identity?.isaName,
    stepping: identity?.stepping,
    ...(decision.action === 'rewrite' ? { target: decision.request.target } : {}),
  };
}
