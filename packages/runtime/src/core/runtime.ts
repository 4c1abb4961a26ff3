import type { HsaApiTables } from '@doorbell/api-table';
import { createApiTables } from '@doorbell/api-table';
import { hsa, HsaError, isHsaError, releaseAll, releaseAllAsync } from '@doorbell/abi';
import type { AgentDiscovery, DriverReport, Topology } from '@doorbell/topology';
import { discoverAgents, discoverDrivers, readTopology } from '@doorbell/topology';
import type { InstalledHotSwap } from '@doorbell/hotswap-tool/hook';
import { GpuClock } from '@doorbell/queues';
import type { ClockCounters, LoadedThunk, Thunk, ThunkBackend, ThunkCandidate, TraceSink } from '@doorbell/thunk-loader';
import { loadThunk, openDeviceFile } from '@doorbell/thunk-loader/core';
import { AgentRegistry } from './agents.js';
import type { EmulatedMachine, EmulatedMachineShape } from './emulated-machine.js';
import { openEmulatedMachine } from './emulated-machine.js';
import { EventHub } from './event-hub.js';
import { Loader } from './executables.js';
import type { Env, Flags } from './flags.js';
import { publishFlagProblems } from './flag-problems.js';
import { readFlags } from './flags.js';
import type { InstallHotSwap } from './hot-swap.js';
import { installHotSwapIn, loadHotSwap } from './hot-swap.js';
import { LoadSteps } from './load-steps.js';
import { MemoryManager } from './memory.js';
import { QueueRegistry, SignalRegistry } from './registries.js';
import { agentExtensionSlots, agentSlots } from './slots/agents.js';
import { executableSlots } from './slots/executables.js';
import { memoryExtensionSlots, memorySlots } from './slots/memory.js';
import { queueExtensionSlots, queueSlots } from './slots/queues.js';
import { extensionSlots } from './slots/loader-extension.js';
import { fail } from './slots/result.js';
import { signalExtensionSlots, signalSlots } from './slots/signals.js';
import type { FailedTool } from '../tools/failed-tool.js';
import { ToolHost, type LoadedTool } from '../tools/tool-host.js';

/** Which runtime: by the thunk behind it. */
export interface RuntimeOptions {
  /** Default: `auto`. */
  readonly backend?: 'auto' | ThunkBackend;
  /** Processor of the emulated GPU, or of each of several. Default: `gfx1100`. */
  readonly emulatedProcessor?: string | readonly string[];
  /**
   * When the threads of the emulated GPU start: `now`, so that they load while the runtime opens, or with the first queue or VRAM buffer.
   * Default: `when-needed`.
   */
  readonly emulatedThreads?: 'now' | 'when-needed';
  /** NUMA nodes of the emulated machine, and how its GPUs are linked. Default: one, and PCIe. */
  readonly emulatedMachine?: EmulatedMachineShape;
  /** Default: `process.env`. A runtime with an environment of its own is not shared. */
  readonly env?: Env;
  /** Takes each step by which the thunk is found and opened, and its calls from then on. A runtime that is traced is not shared. */
  readonly trace?: TraceSink;
}

const DEFAULT_PROCESSOR = 'gfx1100';
const VERSION = '0.1.0';

/** By thunk; a runtime is here until it has closed, so that two of one thunk are never open together. */
const open = new Map<string, Promise<Runtime>>();

/**
 * The HSA runtime: everything behind the API tables. {@link acquire} and {@link release} count, like hsa_init and hsa_shut_down; one
 * runtime serves all who ask for the same thunk.
 */
export class Runtime {
  readonly version: string = VERSION;
  readonly flags: Flags;
  readonly events: EventHub;
  readonly thunk: Thunk;
  readonly backend: ThunkBackend;
  readonly candidates: readonly ThunkCandidate[];
  readonly drivers: readonly DriverReport[];
  readonly topology: Topology;
  readonly discovery: AgentDiscovery;
  readonly registry: AgentRegistry;
  readonly memory: MemoryManager;
  readonly loader: Loader;
  readonly signals: SignalRegistry;
  readonly queues: QueueRegistry;
  readonly tables: HsaApiTables;
  /** What an emulated device tells beyond the driver's interface; undefined on real ones. */
  readonly machine: EmulatedMachine | undefined;
  /** HotSwap in the public table. */
  readonly hotSwap: InstalledHotSwap;
  readonly #clocks = new Map<number, GpuClock>();
  readonly #firstReadings = new Map<number, ClockCounters>();
  readonly #tools: ToolHost;
  /** Where {@link open} has it; undefined: nobody shares it. */
  #key: string | undefined;
  #references = 1;
  #closing: Promise<void> | undefined;

  /**
   * Opens the runtime, or counts one more user of it.
   * @throws {HsaError} the step's own error: never flattened to «out of resources».
   */
  static async acquire(options: RuntimeOptions = {}): Promise<Runtime> {
    if (options.env !== undefined || options.trace !== undefined) return Runtime.#load(options);
    const key = keyOf(options);
    for (let existing = open.get(key); existing !== undefined; existing = open.get(key)) {
      const runtime = await existing;
      if (runtime.#closing === undefined) {
        runtime.#references++;
        return runtime;
      }
      // What could not be closed is told to whoever released it.
      await runtime.#closing.catch(() => undefined);
    }
    const loading = Runtime.#load(options);
    open.set(key, loading);
    try {
      const runtime = await loading;
      runtime.#key = key;
      return runtime;
    } catch (error) {
      open.delete(key);
      throw error;
    }
  }

  static async #load(options: RuntimeOptions): Promise<Runtime> {
    const env = options.env ?? process.env;
    const events = new EventHub(env);
    const steps = new LoadSteps(events);
    steps.skip('cpu-features', 'waits do not use mwaitx');
    const flags = steps.run('flags', () => readFlags(env));
    publishFlagProblems(events, flags.problems);
    let machine: EmulatedMachine | undefined;
    const started = performance.now();
    const loaded = await loadThunk({
      backend: options.backend ?? 'auto',
      emulated: async () => {
        machine = await openEmulatedMachine({
          processor: options.emulatedProcessor ?? DEFAULT_PROCESSOR,
          ...(options.emulatedMachine === undefined ? {} : { machine: options.emulatedMachine }),
          events,
          threads: options.emulatedThreads ?? 'when-needed',
        });
        return machine.device;
      },
      ...(options.trace === undefined ? {} : { trace: options.trace }),
    });
    steps.done('thunk-loader', { started, details: { backend: loaded.backend, candidates: loaded.candidates } });
    steps.skip('thunk-abi', 'the kfd thunk is part of this runtime');
    steps.skip('thunk-instance', 'there is no DTIF');
    steps.skip('wait-mode', 'waits always use interrupts');
    try {
      const { trace } = options;
      const runtime = new Runtime({
        env,
        steps,
        flags,
        events,
        loaded,
        machine: loaded.backend === 'emulated' ? machine : undefined,
        installHotSwap: await loadHotSwap(env),
        trace,
      });
      await runtime.#loadTools(steps);
      return runtime;
    } catch (error) {
      await loaded.thunk[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Made by {@link acquire} alone. */
  constructor(parts: RuntimeParts) {
    this.flags = parts.flags;
    this.events = parts.events;
    this.thunk = parts.loaded.thunk;
    this.backend = parts.loaded.backend;
    this.candidates = parts.loaded.candidates;
    this.machine = parts.machine;
    const { steps } = parts;
    this.drivers = steps.run('drivers', () =>
      // Only the real machine has further devices to open.
      discoverDrivers(this.thunk.sysfs, this.backend === 'emulated' ? {} : { openDevice: openDeviceFile }),
    );
    const { topology, discovery, registry } = steps.run('topology', () => this.#discover());
    this.topology = topology;
    this.discovery = discovery;
    this.registry = registry;
    steps.run('clocks', () => {
      for (const { gpuId } of discovery.gpus) {
        this.#clocks.set(gpuId, new GpuClock(this.thunk, gpuId));
        this.#firstReadings.set(gpuId, this.thunk.clockCounters(gpuId));
      }
    });
    // The signal pool's event monitor listens for memory and hardware exceptions of the GPUs.
    this.signals = steps.run('error-handlers', () => new SignalRegistry(this.thunk));
    this.memory = new MemoryManager(this.thunk, () => discovery.gpus.map(({ gpuId }) => gpuId));
    this.loader = steps.run('code-object-loader', () => new Loader(this.memory));
    steps.skip('extensions', 'there are no finalizer, image and PC sampling extensions');
    this.queues = steps.run('agents', () => new QueueRegistry(this.thunk, this.signals.pool));
    this.tables = createApiTables(this.#implementation(), { events: this.events, isInitialized: () => this.isOpen });
    // Registered by default; it does nothing unless its gate opens.
    this.hotSwap = installHotSwapIn(this, { env: parts.env, install: parts.installHotSwap });
    this.#tools = new ToolHost({
      env: parts.env,
      tables: this.tables.public,
      events: this.events,
      notice: (event) => this.events.notice(event),
      trace: parts.trace,
      isInitialized: () => this.isOpen,
      isRuntimeMemory: (address) => this.memory.find(address) !== undefined,
    });
    const { overrideHint } = this.flags;
    if (overrideHint !== undefined)
      this.events.publish({ source: 'runtime', name: 'gfx-version-override', level: 'warn', message: overrideHint, details: {} });
  }

  /** The last steps of loading: tools, which may have to be waited for, and what comes after them. */
  async #loadTools(steps: LoadSteps): Promise<void> {
    const started = performance.now();
    await this.#tools.load();
    steps.done('tools', { started, details: { tools: this.#tools.loaded, failedTools: this.#tools.failed } });
    steps.skip('virtual-memory', 'virtual memory functions are not implemented');
    steps.skip('ipc', 'memory of other processes is not implemented');
    steps.skip('svm-profile', 'there is no SVM');
  }

  /** Tools of `HSA_TOOLS_LIB` and `DOORBELL_TOOLS`, in the order in which they were loaded. */
  get loadedTools(): readonly LoadedTool[] {
    return this.#tools.loaded;
  }

  /** Tools that were asked for and are not there, each with the reason. */
  get failedTools(): readonly FailedTool[] {
    return this.#tools.failed;
  }

  get isOpen(): boolean {
    return this.#references > 0;
  }

  /** Users of this runtime. */
  get references(): number {
    return this.#references;
  }

  /** One user less; the last one closes queues, signals and the thunk, in that order. */
  async release(): Promise<void> {
    if (this.#references === 0) throw new HsaError('ERR_NOT_INITIALIZED', { message: 'the runtime is shut down already' });
    if (--this.#references > 0) return;
    this.#closing = this.#close();
    try {
      await this.#closing;
    } finally {
      if (this.#key !== undefined) open.delete(this.#key);
    }
  }

  async #close(): Promise<void> {
    const step = (name: string, run: () => unknown) => async (): Promise<void> => {
      try {
        await run();
      } finally {
        this.events.publish({
          source: 'runtime',
          name: 'unload-step',
          level: 'debug',
          message: `closed: ${name}`,
          details: { step: name },
        });
      }
    };
    const each = (what: string, steps: Iterable<() => void>): void => releaseAll(steps, `${what} were left behind`);
    const steps = [
      step('tools', () => {
        releaseAll([() => this.#tools.unload(), () => this.hotSwap[Symbol.dispose]()], 'tools were left behind');
      }),
      step('queues', () => this.queues.dispose()),
      step('executables', () => {
        const { executables } = this.loader;
        each(
          'executables',
          [...executables.values()].map((executable) => () => this.loader.unload(executable)),
        );
      }),
      step('signals', () => this.signals.dispose()),
      step('memory', () =>
        each(
          'allocations',
          [...this.memory.all()].map(
            ({ address }) =>
              () =>
                this.memory.free(address),
          ),
        ),
      ),
      step('thunk', () => this.thunk[Symbol.asyncDispose]()),
      // What a tool keeps (code that it rewrote) may be used until here.
      step('tool-libraries', () => this.#tools.close()),
    ];
    await releaseAllAsync(steps, 'closing the runtime left something behind');
  }

  /** Clock of a GPU. */
  clockOf(gpuId: number): GpuClock {
    const clock = this.#clocks.get(gpuId);
    if (clock === undefined) throw new HsaError('ERR_INVALID_ARGUMENT', { message: `there is no GPU ${gpuId}` });
    return clock;
  }

  /** Ticks per second of a GPU's clock, from the readings since the runtime was opened. */
  gpuClockHz(gpuId: number): bigint {
    const first = this.#firstReadings.get(gpuId);
    const now = this.thunk.clockCounters(gpuId);
    const elapsed = first === undefined ? 0n : now.systemTicks - first.systemTicks;
    return first === undefined || elapsed === 0n ? 0n : ((now.gpuTicks - first.gpuTicks) * now.systemFrequencyHz) / elapsed;
  }

  systemClock(): ClockCounters {
    return this.thunk.clockCounters(this.discovery.gpus[0]?.gpuId ?? 0);
  }

  #discover(): { readonly topology: Topology; readonly discovery: AgentDiscovery; readonly registry: AgentRegistry } {
    const source = this.thunk.sysfs;
    const topology = readTopology(source);
    const discovery = discoverAgents(topology, {
      source,
      thunk: this.thunk,
      drivers: this.drivers,
      fineGrainedOverPcie: this.flags.fineGrainedOverPcie,
      ...(this.flags.gfxOverrides === undefined ? {} : { gfxOverrides: this.flags.gfxOverrides }),
      ...(this.flags.visibleDevices === undefined ? {} : { visibleDevices: this.flags.visibleDevices }),
    });
    return { topology, discovery, registry: new AgentRegistry(discovery.agents) };
  }

  #implementation(): Parameters<typeof createApiTables>[0] {
    return {
      hsa_init: () => {
        // Opening has to be waited for, which a slot cannot: a table stays with its runtime.
        if (!this.isOpen) return fail(hsa.HSA_STATUS_ERROR, 'the runtime of this table was shut down; open a new one');
        this.#references++;
        return hsa.HSA_STATUS_SUCCESS;
      },
      hsa_shut_down: () => {
        // The last user closes in the background: the thunk's end has to be waited for.
        this.release().catch((error: unknown) => this.#reportLateFailure(error));
        return hsa.HSA_STATUS_SUCCESS;
      },
      ...agentSlots(this),
      ...memorySlots(this),
      ...signalSlots(this),
      ...queueSlots(this),
      ...executableSlots(this),
      ...extensionSlots(this),
      ...agentExtensionSlots(this),
      ...memoryExtensionSlots(this),
      ...signalExtensionSlots(this),
      ...queueExtensionSlots(this),
    };
  }

  #reportLateFailure(error: unknown): void {
    this.events.publish({
      source: 'runtime',
      name: 'shut-down-failed',
      level: 'error',
      message: isHsaError(error) ? error.message : String(error),
      details: {},
    });
  }
}

interface RuntimeParts {
  readonly env: Env;
  readonly steps: LoadSteps;
  readonly flags: Flags;
  readonly events: EventHub;
  readonly loaded: LoadedThunk;
  readonly machine: EmulatedMachine | undefined;
  readonly installHotSwap: InstallHotSwap;
  readonly trace: TraceSink | undefined;
}

function keyOf({ backend = 'auto', emulatedProcessor = DEFAULT_PROCESSOR, emulatedMachine = {} }: RuntimeOptions): string {
  return backend === 'auto' || backend === 'emulated'
    ? `${backend} ${String(emulatedProcessor)} ${JSON.stringify(emulatedMachine)}`
    : backend;
}
