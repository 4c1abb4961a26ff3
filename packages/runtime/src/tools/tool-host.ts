/** The tools of a runtime: what HSA_TOOLS_LIB and DOORBELL_TOOLS name. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { releaseAll } from '@doorbell/abi';
import type { EventSink } from '@doorbell/abi';
import type { HsaApiTable } from '@doorbell/api-table';
import { findMismatches, pairVersions, parseToolNames } from '@doorbell/api-table';
import type { TraceSink } from '@doorbell/thunk-loader';
import type { Env } from '../core/flags.js';
import type { NativeTools } from '../native-tools/load-native-tools.js';
import type { FailedTool, ToolTrouble } from './failed-tool.js';
import { reportFailure } from './failed-tool.js';
import type { ToolModule } from './tool-module.js';

/** A tool that is there. */
export interface LoadedTool {
  /** As the variable names it. */
  readonly name: string;
  readonly kind: 'library' | 'module';
  readonly path?: string;
}

export interface ToolHostOptions {
  readonly env: Env;
  readonly tables: HsaApiTable;
  readonly events: EventSink;
  /** Prints a line for the user, unless DOORBELL_LOG says otherwise. */
  readonly notice: (event: {
    readonly source: string;
    readonly name: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  }) => void;
  readonly trace: TraceSink | undefined;
  readonly isInitialized: () => boolean;
  readonly isRuntimeMemory: (address: bigint) => boolean;
}

/** Loads tools when the runtime is up, C libraries before modules; the last one loaded is the outermost. */
export class ToolHost {
  readonly #options: ToolHostOptions;
  readonly #loaded: LoadedTool[] = [];
  readonly #failed: FailedTool[] = [];
  readonly #modules: { readonly name: string; readonly module: ToolModule }[] = [];
  #native: NativeTools | undefined;

  constructor(options: ToolHostOptions) {
    this.#options = options;
  }

  get loaded(): readonly LoadedTool[] {
    return this.#loaded;
  }

  get failed(): readonly FailedTool[] {
    return this.#failed;
  }

  /** A tool that fails is left out and reported; this never rejects for one. */
  async load(): Promise<void> {
    const { env } = this.#options;
    const libraries = parseToolNames(env['HSA_TOOLS_LIB'] ?? '');
    if (libraries.length > 0) await this.#loadLibraries(libraries);
    for (const name of parseToolNames(env['DOORBELL_TOOLS'] ?? '')) await this.#loadModule(name);
  }

  /** Tells every tool, the last one first. The tables are as they were afterwards. */
  unload(): void {
    const modules = this.#modules.splice(0).reverse();
    releaseAll(
      [
        ...modules.map(
          ({ module }) =>
            () =>
              module.onUnload?.(),
        ),
        () => this.#native?.unload(),
      ],
      'tools were left behind',
    );
  }

  /** Closes the libraries; what they keep may be used until then. */
  close(): void {
    this.#native?.close();
  }

  async #loadLibraries(names: readonly string[]): Promise<void> {
    // Only who has tools pays for what calls C.
    const { NativeTools: Tools } = await import('../native-tools/load-native-tools.js');
    this.#native = Tools.load(names, {
      ...this.#options,
      failedNames: () => this.#failed.map(({ name }) => name),
      onFailure: (trouble) => this.#noteFailure(trouble),
      onLoaded: ({ name, path, slots }) =>
        this.#noteLoaded({ name, kind: 'library', ...(path === undefined ? {} : { path }) }, slots),
    });
  }

  async #loadModule(name: string): Promise<void> {
    const { tables, events } = this.#options;
    const tool = { name, kind: 'module' } as const;
    let found: { readonly path: string | undefined; readonly module: Partial<ToolModule> };
    try {
      found = await importTool(name);
    } catch (error) {
      return this.#noteFailure({ ...tool, reason: 'not-opened', thrown: wordsOf(error) });
    }
    const { path, module } = found;
    const { onLoad, madeFor } = module;
    if (typeof onLoad !== 'function') return this.#noteFailure({ ...tool, path, reason: 'no-on-load' });
    if (findMismatches(pairVersions(tables, madeFor)).length > 0)
      return this.#noteFailure({ ...tool, path, reason: 'version', theirs: madeFor });
    try {
      const context = { runtimeVersion: tables.version.major, failedTools: [...this.#failed], events };
      if ((await onLoad(tables, context)) === false)
        return this.#noteFailure({ ...tool, path, reason: 'refused', theirs: madeFor });
    } catch (error) {
      return this.#noteFailure({ ...tool, path, reason: 'threw', thrown: wordsOf(error) });
    }
    this.#modules.push({ name, module: { ...module, onLoad } });
    this.#noteLoaded({ ...tool, ...(path === undefined ? {} : { path }) }, undefined);
  }

  #noteLoaded(tool: LoadedTool, slots: readonly string[] | undefined): void {
    this.#loaded.push(tool);
    const { name, kind, path = name } = tool;
    const taken = slots === undefined ? '' : `; it took ${slots.length} slots`;
    const message = `tool ${path} is loaded${taken}`;
    this.#options.events.publish({
      source: 'runtime',
      name: 'tool-loaded',
      level: 'info',
      message,
      details: { tool: name, kind, path, ...(slots === undefined ? {} : { slots }) },
    });
    this.#trace(tool, message);
  }

  #noteFailure(trouble: ToolTrouble): void {
    const { env, tables, events, notice } = this.#options;
    const failed = reportFailure(tables, trouble);
    this.#failed.push(failed);
    const event = { source: 'runtime', name: 'tool-failed', message: failed.message, details: { ...failed } };
    // ROCr prints it too, unless it is told not to.
    if (env['HSA_TOOLS_REPORT_LOAD_FAILURE'] === '0') events.publish({ ...event, level: 'warn' });
    else notice(event);
    this.#trace(failed, failed.message);
  }

  #trace({ name }: { readonly name: string }, outcome: string): void {
    this.#options.trace?.({ timeMs: performance.now(), step: 'tool', name, outcome });
  }
}

/** A path (relative to the working directory) or URL, or a package that the working directory or this library knows. */
async function importTool(name: string): Promise<{ readonly path: string | undefined; readonly module: Partial<ToolModule> }> {
  const load = async (specifier: string): Promise<Partial<ToolModule>> =>
    // Safe: the caller looks whether it exports what a tool does.
    (await import(/* @vite-ignore */ specifier)) as Partial<ToolModule>;
  if (name.startsWith('file:')) return { path: name, module: await load(name) };
  if (/^\.{0,2}\//.test(name)) {
    const path = resolve(name);
    return { path, module: await load(pathToFileURL(path).href) };
  }
  let path: string;
  try {
    path = createRequire(resolve('tools.js')).resolve(name);
  } catch {
    // A package without an entry for require, or one beside this library.
    return { path: undefined, module: await load(name) };
  }
  return { path, module: await load(pathToFileURL(path).href) };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
