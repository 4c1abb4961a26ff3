/** HSA tools that are C libraries: opening, `OnLoad`, `OnUnload` (hsa_api_trace.h; rocr runtime.cpp LoadTools, UnloadTools). */
import type { EventSink } from '@doorbell/abi';
import { isHsaError, releaseAll } from '@doorbell/abi';
import type { FoundTool, HsaApiTable, ToolVersions, VersionedTable } from '@doorbell/api-table';
import { findMismatches, orderTools, pairVersions, TABLE_NAMES } from '@doorbell/api-table';
import type { CSignature, ForeignFunctions, OpenLibrary } from '@doorbell/thunk-loader';
import { loadForeignFunctions } from '@doorbell/thunk-loader';
import type { ToolTrouble } from '../tools/failed-tool.js';
import { readElement } from './elements.js';
import { MappedFiles } from './mapped-files.js';
import { NativeTables } from './native-tables.js';

/** `bool OnLoad(HsaApiTable *, uint64_t, uint64_t, const char *const *)`. */
const ON_LOAD: CSignature = { returns: 'bool', params: ['u64', 'u64', 'u64', 'u64'] };
const ON_UNLOAD: CSignature = { returns: 'void', params: [] };
/** A number that tools of a process export which are not in the list: the lower, the earlier. */
const PRIORITY_SYMBOL = 'HSA_AMD_TOOL_PRIORITY';
/** `const ApiTableVersion[7]` that a tool may export: the root table's, then the six tables' in the root's order; major 0: not used. */
const VERSIONS_SYMBOL = 'DOORBELL_TOOL_VERSIONS';

export interface NativeToolsOptions {
  readonly tables: HsaApiTable;
  readonly events: EventSink;
  readonly isInitialized: () => boolean;
  readonly isRuntimeMemory: (address: bigint) => boolean;
  /** Takes what failed, as it fails; gives the names of all that failed until now. */
  readonly onFailure: (trouble: ToolTrouble) => void;
  readonly failedNames: () => readonly string[];
  readonly onLoaded: (tool: LoadedNativeTool) => void;
}

interface LoadedNativeTool {
  readonly name: string;
  readonly path: string | undefined;
  /** Slots that it took. */
  readonly slots: readonly string[];
}

/** A library that was opened for a tool. */
interface Candidate extends FoundTool {
  readonly name: string;
  readonly path: string | undefined;
  readonly library: OpenLibrary;
}

/** Handles of the libraries that a runtime of this process has loaded as tools. */
const inUse = new Set<bigint>();

/** The tools of one runtime that are C libraries. */
export class NativeTools {
  readonly #ffi: ForeignFunctions;
  readonly #options: NativeToolsOptions;
  readonly #loaded: Candidate[] = [];
  #view: NativeTables | undefined;

  /** Loads the named libraries, and those of the process that say that they are tools. What fails is left out and reported. */
  static load(names: readonly string[], options: NativeToolsOptions): NativeTools | undefined {
    let ffi: ForeignFunctions;
    try {
      ffi = loadForeignFunctions();
    } catch (error) {
      if (!isHsaError(error)) throw error;
      for (const name of names) options.onFailure({ name, kind: 'library', reason: 'not-opened', thrown: error.message });
      return undefined;
    }
    const tools = new NativeTools(ffi, options);
    tools.#load(names);
    return tools;
  }

  private constructor(ffi: ForeignFunctions, options: NativeToolsOptions) {
    this.#ffi = ffi;
    this.#options = options;
  }

  /** Calls every tool's `OnUnload`, the last one first, then gives the tables back. */
  unload(): void {
    const tools = this.#loaded.toReversed();
    releaseAll(
      [
        ...tools.map(({ library }) => () => {
          const onUnload = library.symbol('OnUnload');
          if (onUnload !== undefined) this.#ffi.call(onUnload, ON_UNLOAD, []);
        }),
        () => this.#view?.detach(),
      ],
      'tools were left behind',
    );
  }

  /** Closes the libraries: nothing may call into them any more. */
  close(): void {
    const tools = this.#loaded.splice(0);
    releaseAll(
      [
        ...tools.map(({ library }) => () => {
          inUse.delete(library.handle);
          library.close();
        }),
        () => this.#view?.dispose(),
      ],
      'tool libraries were left open',
    );
  }

  #load(names: readonly string[]): void {
    const { ordered, twice } = orderTools([...this.#open(names), ...this.#findPresent()]);
    for (const { library } of twice) library.close();
    for (const candidate of ordered) this.#loadOne(candidate);
    if (this.#loaded.length > 0) return;
    this.#view?.dispose();
    this.#view = undefined;
  }

  #open(names: readonly string[]): readonly Candidate[] {
    return names.flatMap((name) => {
      const opened = this.#ffi.openLibrary(name);
      if (!opened.ok) {
        this.#options.onFailure({ name, kind: 'library', reason: 'not-opened', dlopenMessage: opened.words });
        return [];
      }
      const { library } = opened;
      const path = name.includes('/') ? name : this.#pathOf(library.symbol('OnLoad'));
      return [{ name, path, library, handle: library.handle, priority: undefined }];
    });
  }

  /** Libraries of this process that export a priority of their own (and do not find that of another). */
  #findPresent(): readonly Candidate[] {
    const mapped = new MappedFiles();
    return mapped.libraries().flatMap((path) => {
      const opened = this.#ffi.openLibrary(path);
      if (!opened.ok) return [];
      const { library } = opened;
      const symbol = library.symbol(PRIORITY_SYMBOL);
      if (symbol === undefined || mapped.pathAt(symbol) !== path) {
        library.close();
        return [];
      }
      const priority = Number(readElement(this.#ffi.view(symbol, 4), 0, { kind: 'u32' }));
      return [{ name: path, path, library, handle: library.handle, priority }];
    });
  }

  #loadOne(candidate: Candidate): void {
    const { name, path, library } = candidate;
    const { tables, onFailure, onLoaded } = this.#options;
    const leaveOut = (trouble: Pick<ToolTrouble, 'reason' | 'theirs'>): void => {
      library.close();
      onFailure({ name, path, kind: 'library', ...trouble });
    };
    const onLoad = library.symbol('OnLoad');
    if (onLoad === undefined) return leaveOut({ reason: 'no-on-load' });
    if (inUse.has(library.handle)) return leaveOut({ reason: 'in-use' });
    const theirs = this.#declaredVersions(library);
    if (findMismatches(pairVersions(tables, theirs)).length > 0) return leaveOut({ reason: 'version', theirs });
    const view = (this.#view ??= new NativeTables(tables, { ...this.#options, ffi: this.#ffi }));
    const before = view.pointers();
    if (!this.#callOnLoad(onLoad, view)) {
      view.restorePointers(before);
      return leaveOut({ reason: 'refused', theirs });
    }
    inUse.add(library.handle);
    this.#loaded.push(candidate);
    onLoaded({ name, path, slots: view.takeUp(name, before) });
  }

  #callOnLoad(onLoad: bigint, view: NativeTables): boolean {
    const { tables, failedNames } = this.#options;
    return view.withStrings(failedNames(), ({ address, count }) => {
      const args = [view.address, BigInt(tables.version.major), BigInt(count), address];
      return this.#ffi.call(onLoad, ON_LOAD, args) === true;
    });
  }

  #declaredVersions(library: OpenLibrary): ToolVersions | undefined {
    const symbol = library.symbol(VERSIONS_SYMBOL);
    if (symbol === undefined) return undefined;
    const names: readonly VersionedTable[] = ['root', ...TABLE_NAMES];
    const bytes = this.#ffi.view(symbol, 16 * names.length);
    const words = (offset: number): number => Number(readElement(bytes, offset, { kind: 'u32' }));
    const versions: Partial<Record<VersionedTable, { major: number; minor: number; step: number }>> = {};
    names.forEach((table, index) => {
      const [major, minor, step] = [words(16 * index), words(16 * index + 4), words(16 * index + 8)];
      if (major !== 0) versions[table] = { major, minor, step };
    });
    return versions;
  }

  #pathOf(address: bigint | undefined): string | undefined {
    return address === undefined ? undefined : new MappedFiles().pathAt(address);
  }
}
