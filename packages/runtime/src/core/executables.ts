import type { Memory } from '@doorbell/abi';
import { hsa, HsaError } from '@doorbell/abi';
import type { CodeObject, KernelInfo, LineTable, LoadPlan, SourceLine } from '@doorbell/code-object/core';
import {
  applyLoad,
  isaMismatch,
  parseCodeObject,
  parseTargetId,
  planLoad,
  readLineTable,
  symbolAddress,
  targetsCompatible,
} from '@doorbell/code-object/core';
import type { RuntimeAgent } from './agents.js';
import type { CodeObjectOrigin } from './code-object-origin.js';
import { HANDLE_KINDS, HandleTable } from './handles.js';
import type { Allocation, MemoryManager } from './memory.js';
import { withOverrideNamed } from './override-mismatch.js';

/** ELF gABI: symbol type `object`, binding `local`. */
const STT_OBJECT = 1;
const STB_LOCAL = 0;

/** Bytes of a code object that somebody handed in; not copied until it is loaded. */
export interface CodeObjectReader {
  readonly bytes: Uint8Array;
  readonly origin: CodeObjectOrigin;
}

/** A code object in an agent's memory. */
export interface LoadedCodeObject {
  readonly handle: bigint;
  readonly executable: Executable;
  readonly agent: RuntimeAgent;
  readonly origin: CodeObjectOrigin;
  readonly codeObject: CodeObject;
  readonly plan: LoadPlan;
  readonly image: Allocation;
}

/** A kernel or variable of a loaded code object. */
export interface ExecutableSymbol {
  readonly handle: bigint;
  /** With `.kd` for kernels, as the loader names them. */
  readonly name: string;
  readonly agent: RuntimeAgent;
  /** Device address: of the descriptor for kernels. */
  readonly address: bigint;
  readonly sizeBytes: bigint;
  readonly kernel: KernelInfo | undefined;
  readonly loaded: LoadedCodeObject;
}

/** An executable: code objects loaded for agents, frozen before they run. */
export class Executable {
  /** Set by {@link Loader.createExecutable}. */
  handle = 0n;
  state: 'unfrozen' | 'frozen' = 'unfrozen';
  readonly loaded: LoadedCodeObject[] = [];
  readonly symbols: Map<string, ExecutableSymbol> = new Map();
  /** Addresses of variables that the program defines, by agent handle and name. */
  readonly externals: Map<string, bigint> = new Map();
}

/** Readers, executables and symbols of one runtime. */
export class Loader {
  readonly readers: HandleTable<CodeObjectReader> = new HandleTable(HANDLE_KINDS.reader);
  readonly executables: HandleTable<Executable> = new HandleTable(HANDLE_KINDS.executable);
  readonly symbols: HandleTable<ExecutableSymbol> = new HandleTable(HANDLE_KINDS.symbol);
  readonly loadedCodeObjects: HandleTable<LoadedCodeObject> = new HandleTable(HANDLE_KINDS.loadedCodeObject);
  /** Deserialized code objects of the deprecated functions. */
  readonly codeObjects: HandleTable<CodeObjectReader> = new HandleTable(HANDLE_KINDS.codeObject);
  readonly #memory: MemoryManager;
  readonly #lines = new WeakMap<LoadedCodeObject, LineTable>();

  constructor(memory: MemoryManager) {
    this.#memory = memory;
  }

  createExecutable(state: Executable['state']): Executable {
    const executable = new Executable();
    executable.state = state;
    executable.handle = this.executables.add(executable);
    return executable;
  }

  /** The bytes behind a pointer argument: JavaScript memory, or an address inside an allocation. */
  bytesOf(memory: Memory, sizeBytes: number): Uint8Array {
    if (typeof memory === 'bigint') return this.#memory.view(memory, sizeBytes);
    if (sizeBytes > memory.length) {
      throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${sizeBytes} bytes asked of a ${memory.length}-byte array` });
    }
    return memory.subarray(0, sizeBytes);
  }

  /** A reader over other bytes that comes from where `original` comes from: what a tool made of them keeps their URI. */
  deriveReader(original: bigint, bytes: Uint8Array): bigint {
    const reader = this.readers.get(original);
    if (reader === undefined) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `there is no code object reader 0x${original.toString(16)}`,
        hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
      });
    }
    return this.readers.add({ bytes, origin: reader.origin });
  }

  /** Loads a code object for an agent: device memory, relocations, symbols. @throws {HsaError} ERR_CODE_OBJECT…, ERR_ISA_MISMATCH, ERR_RELOCATION. */
  load(executable: Executable, agent: RuntimeAgent, reader: CodeObjectReader): LoadedCodeObject {
    const codeObject = parseCodeObject(reader.bytes);
    requireCompatible(codeObject, agent);
    requireNewSymbols(executable, agent, codeObject);
    const plan = planLoad(codeObject);
    const pool = codePool(agent);
    const image = this.#memory.allocate({
      agent,
      pool,
      sizeBytes: Math.max(plan.imageBytes, 1),
      executable: true,
      label: 'code object',
    });
    try {
      applyLoad(plan, this.#memory.view(image.address, plan.imageBytes), image.address, (name) =>
        executable.externals.get(externalKey(agent, name)),
      );
    } catch (error) {
      this.#memory.free(image.address);
      throw error;
    }
    const { origin } = reader;
    const loaded = { handle: 0n, executable, agent, origin, codeObject, plan, image };
    loaded.handle = this.loadedCodeObjects.add(loaded);
    executable.loaded.push(loaded);
    this.#addSymbols(executable, loaded);
    return loaded;
  }

  /** Kernels (by the name of their descriptor) and variables: what is defined and not local. */
  #addSymbols(executable: Executable, loaded: LoadedCodeObject): void {
    const { agent, codeObject, plan, image } = loaded;
    for (const symbol of visibleSymbols(codeObject)) {
      const address = symbolAddress(plan, symbol, image.address);
      if (address === undefined) continue;
      const kernel = codeObject.kernels.find((candidate) => candidate.symbol === symbol.name);
      const entry = { handle: 0n, name: symbol.name, agent, address, sizeBytes: symbol.sizeBytes, kernel, loaded };
      entry.handle = this.symbols.add(entry);
      executable.symbols.set(externalKey(agent, symbol.name), entry);
    }
  }

  findSymbol(executable: Executable, agent: RuntimeAgent, name: string): ExecutableSymbol | undefined {
    return executable.symbols.get(externalKey(agent, name));
  }

  /** The source line of the instruction at a device address, where its code object was compiled with debug information. */
  sourceLineOf(address: bigint): SourceLine | undefined {
    const loaded = this.findLoaded(address);
    if (loaded === undefined) return undefined;
    const lines = this.#lines.get(loaded) ?? readLineTable(loaded.codeObject.elf);
    this.#lines.set(loaded, lines);
    return lines.find(loaded.plan.baseVaddr + (address - loaded.image.address));
  }

  /** The loaded code object that a device address lies in. */
  findLoaded(address: bigint): LoadedCodeObject | undefined {
    for (const loaded of this.loadedCodeObjects.values()) {
      const offset = address - loaded.image.address;
      if (offset >= 0n && offset < BigInt(loaded.plan.imageBytes)) return loaded;
    }
    return undefined;
  }

  /** Frees what an executable loaded. */
  unload(executable: Executable): void {
    for (const symbol of executable.symbols.values()) this.symbols.delete(symbol.handle);
    for (const loaded of executable.loaded) {
      this.loadedCodeObjects.delete(loaded.handle);
      this.#memory.free(loaded.image.address);
    }
    executable.symbols.clear();
    executable.loaded.length = 0;
  }
}

function visibleSymbols({ symbols }: CodeObject): CodeObject['symbols'] {
  return symbols.filter(({ name, type, binding }) => name !== '' && type === STT_OBJECT && binding !== STB_LOCAL);
}

/** A name is defined once for an agent (hsa-api §7.4). */
function requireNewSymbols(executable: Executable, agent: RuntimeAgent, codeObject: CodeObject): void {
  const twice = visibleSymbols(codeObject).find(({ name }) => executable.symbols.has(externalKey(agent, name)));
  if (twice === undefined) return;
  throw new HsaError('ERR_CODE_OBJECT', {
    message: `${twice.name} is defined in this executable already`,
    hsaStatus: hsa.HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED,
  });
}

export function externalKey(agent: RuntimeAgent, name: string): string {
  return `${agent.handle}:${name}`;
}

function codePool(agent: RuntimeAgent): Allocation['pool'] {
  const pool = agent.pools.find(({ pool: p }) => p.kind === 'vram' && p.coherence === 'coarse');
  if (pool === undefined) throw new HsaError('ERR_OUT_OF_MEMORY', { message: `${agent.name} has no memory of its own for code` });
  return pool.pool;
}

/** @throws {HsaError} ERR_ISA_MISMATCH with both targets and what differs. */
function requireCompatible({ target: code }: CodeObject, agent: RuntimeAgent): void {
  if (agent.agent.kind !== 'gpu')
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${agent.name} is no GPU`,
      hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_AGENT,
    });
  const target = parseTargetId(agent.agent.isa.targetId);
  withOverrideNamed(agent.agent, () => {
    if (targetsCompatible(code, target).compatible) return;
    throw isaMismatch([code], target);
  });
}
