/** The executor of a compute worker: compiles kernels, runs workgroups, reports faults. */
import { HsaError } from '@doorbell/abi';
import type { ClockSource, CompileOptions } from '../compile/compiler.js';
import { probeRelaxed } from '../compile/probe.js';
import {
  CONTROL_GRID,
  CONTROL_GROUP_ITEMS,
  CONTROL_GROUPS_X,
  CONTROL_GROUPS_Y,
  CONTROL_ITEM_IDS,
  CONTROL_LDS_BYTES,
  CONTROL_PRIVATE_BYTES,
  CONTROL_SLOT_BYTES,
  CONTROL_USER_SGPRS,
  CONTROL_WAVES_PER_GROUP,
  CONTROL_WORKGROUP,
  slotBytes,
} from '../compile/wave-state.js';
import type { CodeNeed, Dispatch, Executor, GroupRun, MadeCode, PreparedKernel, RunOutcome, WaveFault } from '../executor.js';
import { MAX_WORKERS, PAGE_BYTES, PAGE_EXECUTE, PAGE_READ } from '../memory-map.js';
import { FaultReporter } from './fault.js';
import { GroupMemory, type GroupLayout } from './group-memory.js';
import { FIRST_SPEED, type Speed } from './call-fuel.js';
import { WorkgroupRun } from './group-run.js';
import { CodeStore, hashOf } from './code-store.js';
import { Workshop } from './code-recipe.js';
import { CompiledKernel, type CodeImage } from './kernel.js';
import {
  PATIENCE,
  type Patience,
  type ProgramTools,
  type RunnableProgram,
  type Tier,
  type TieredProgram,
} from './runnable-program.js';
import { initialRegistersOf, modeOf, packedItemIds, vgprCountOf, waveSizeOf, type InitialRegisters } from './kernel-start.js';
import { MemoryView } from './memory-view.js';
import { WishCompiler } from './compile-wishes.js';
import { RecentlyUsed } from './recently-used.js';
import { warmUpOptimised, type WarmUp } from './warm-up.js';

export interface ExecutorOptions {
  /** Number of the worker: which slice of the state is its own. Default 0. */
  readonly worker?: number;
  /** How many workers share the state. Default {@link MAX_WORKERS}. */
  readonly workers?: number;
  /** Pages are not protected by the host: all accesses look at the page table. Default false. */
  readonly softwarePages?: boolean;
  /** How addresses are translated: one window at GPU_BASE, or those of address-windows.ts. Default `fixed`. */
  readonly addressSpace?: 'fixed' | 'scattered';
  /** NaN results have exactly the bits that the operations define. Default false: sign and payload of a NaN may differ. */
  readonly exactNan?: boolean;
  /** Use relaxed SIMD where the engine has it and its multiply-add is fused. Default true. */
  readonly relaxedSimd?: boolean;
  /** No other thread executes kernels on this memory: atomics on coarse-grained memory need not be atomic. Default false. */
  readonly isOnlyWorker?: boolean;
  /** What kind of code runs. Default `both` with a code store, else `optimised`. */
  readonly tier?: Tier;
  /** Memory of the machine's code store (code-store.ts), which the compile worker has as well. */
  readonly codeStore?: SharedArrayBuffer;
  /** When optimised code is wanted; for tests. */
  readonly patience?: Patience;
  /** Called when optimised code was asked for. */
  readonly onAsk?: (need: CodeNeed) => void;
  /** A wave interrupts the host (s_sendmsg MSG_INTERRUPT); the argument is its M0. */
  readonly onInterrupt?: (message: number) => void;
  readonly clock?: ClockSource;
  /** Changes when code may have been loaded or unloaded; without it, all code is compared at every launch. */
  readonly codeEpoch?: () => number;
  /** Instructions after which a call of compiled code returns; default: as many as take about 1 ms. */
  readonly fuel?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Code is looked at in one piece, at most this far from a kernel's entry. */
const MAX_CODE_BYTES = 16 << 20;
/** Kernels that are remembered, and the size of their code; then those that ran least recently are forgotten, and found again in the store. */
const MAX_KERNELS = 512;
const MAX_MODULE_BYTES = 64 << 20;
/** How long {@link Executor.resume} waits for code that it needs. */
const WAIT_MS = 1;

class Prepared implements PreparedKernel {
  readonly descriptorAddress: bigint;
  readonly kernel: CompiledKernel;

  constructor(descriptorAddress: bigint, kernel: CompiledKernel) {
    this.descriptorAddress = descriptorAddress;
    this.kernel = kernel;
  }
}

/** What all runs of a dispatch share. */
interface Launch {
  readonly kernel: CompiledKernel;
  readonly dispatch: Dispatch;
  readonly program: TieredProgram;
  readonly layout: GroupLayout;
  /** Of all workgroups. */
  readonly waves: number;
  readonly registers: InitialRegisters;
  readonly itemIds: Uint32Array;
  readonly speed: Speed;
}

class Run implements GroupRun {
  readonly launch: Launch;
  readonly groups: WorkgroupRun;

  constructor(launch: Launch, groups: WorkgroupRun) {
    this.launch = launch;
    this.groups = groups;
  }

  get finishedGroups(): number {
    return this.groups.finishedGroups;
  }

  get isStarved(): boolean {
    return this.groups.isStarved;
  }
}

/** An executor on the machine's memory; `options.worker` must be its own. */
export function createExecutor(memory: WebAssembly.Memory, options: ExecutorOptions = {}): Executor {
  return new CompilingExecutor(memory, options);
}

class CompilingExecutor implements Executor {
  readonly #view: MemoryView;
  readonly #memory: GroupMemory;
  readonly #options: CompileOptions;
  readonly #tools: ProgramTools;
  readonly #now: () => number;
  readonly #fuel: number | undefined;
  readonly #worker: number;
  readonly #onInterrupt: (message: number) => void;
  readonly #kernels = new RecentlyUsed<CompiledKernel>({ items: MAX_KERNELS, size: MAX_MODULE_BYTES });
  readonly #codeEpoch: () => number | undefined;
  /** When all code around a kernel was compared. */
  readonly #compared = new WeakMap<CompiledKernel, number | undefined>();
  /** Of the kernel made last: others of its code object share it. */
  #image: CodeImage | undefined;
  readonly #faults: FaultReporter;
  /** A dispatch is started in many small ranges. */
  readonly #launches = new WeakMap<Dispatch, Launch>();
  /** The launch that is in the control block. */
  #current: Launch | undefined;
  #warmUp: WarmUp | undefined;
  /** Made when it is first needed. */
  #wishes: WishCompiler | undefined;

  constructor(memory: WebAssembly.Memory, options: ExecutorOptions) {
    const addressSpace = options.addressSpace ?? 'fixed';
    this.#view = new MemoryView(memory, addressSpace);
    this.#worker = options.worker ?? 0;
    this.#memory = new GroupMemory(this.#worker, options.workers ?? MAX_WORKERS);
    this.#fuel = options.fuel;
    this.#codeEpoch = options.codeEpoch ?? ((): undefined => undefined);
    this.#onInterrupt = options.onInterrupt ?? ((): void => undefined);
    this.#now = options.now ?? ((): number => performance.now());
    const clock = options.clock ?? ((): bigint => BigInt(Math.round(this.#now() * 100_000)));
    const store = options.codeStore === undefined ? undefined : new CodeStore(options.codeStore);
    const tier = options.tier ?? (store === undefined ? 'optimised' : 'both');
    this.#tools = {
      workshop: new Workshop(),
      memory,
      clock,
      tier,
      store,
      patience: options.patience ?? PATIENCE,
      now: this.#now,
      making: { ms: 0 },
      onAsk: options.onAsk ?? ((): void => undefined),
    };
    this.#options = {
      addressSpace,
      softwarePages: options.softwarePages ?? false,
      relaxed: (options.relaxedSimd ?? true) && probeRelaxed(memory),
      exactNan: options.exactNan ?? false,
      isOnlyWorker: options.isOnlyWorker ?? false,
    };
    this.#faults = new FaultReporter(this.#view, clock);
  }

  prepare(dispatch: Dispatch): PreparedKernel | WaveFault {
    const image = this.#codeAt(dispatch.entryAddress);
    if (image === undefined) return this.#faults.codeFetch(dispatch, dispatch.entryAddress, [0, 0, 0], 0);
    const waveSize = waveSizeOf(dispatch);
    const mode = modeOf(dispatch);
    const vgprs = vgprCountOf(dispatch);
    const start = this.#view.bytes.subarray(image.offset, image.offset + Math.min(256, image.end - image.offset));
    const key = `${dispatch.processor},${waveSize},${vgprs},${JSON.stringify(mode)},${hashOf(start)}`;
    const known = this.#kernels.find(key, (kernel) => this.#isSameCode(kernel, dispatch.entryAddress, image));
    if (known !== undefined) return new Prepared(dispatch.descriptorAddress, known);
    const kernel = new CompiledKernel(
      this.#snapshot(dispatch.entryAddress, image),
      this.#tools.workshop.decoder(dispatch.processor, waveSize),
      { processor: dispatch.processor, mode, vgprCount: vgprs, compile: this.#options },
      this.#tools,
    );
    this.#compared.set(kernel, this.#codeEpoch());
    this.#kernels.add(key, kernel);
    return new Prepared(dispatch.descriptorAddress, kernel);
  }

  start(kernel: PreparedKernel, dispatch: Dispatch, first: number, count: number): GroupRun {
    if (!(kernel instanceof Prepared))
      throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'The kernel was not prepared by this executor.' });
    const launch = this.#launchOf(kernel.kernel, dispatch);
    const groups = new WorkgroupRun(
      {
        view: this.#view.view,
        memory: this.#memory,
        layout: launch.layout,
        program: () => launch.program.current,
        askEarly: () => launch.program.askEarly(launch.waves),
        target: (address, mode) => this.#target(launch.kernel, address, mode),
        patientYields: this.#tools.patience.yields,
        middle: (program, block) => launch.kernel.middle(program, block),
        worker: this.#worker,
        onInterrupt: this.#onInterrupt,
        now: this.#now,
        fuel: this.#fuel,
        speed: launch.speed,
      },
      first,
      count,
    );
    return new Run(launch, groups);
  }

  resume(run: GroupRun, budgetMs = 1): RunOutcome {
    const own = ownRun(run);
    if (this.#current !== own.launch) this.#install(own.launch);
    const seen = this.#tools.store?.version ?? 0;
    const { kernel } = own.launch;
    const made = kernel.makingMs;
    const begun = this.#now();
    const outcome = own.groups.run(budgetMs);
    // Making code is not running.
    kernel.ran(own.launch.program, this.#now() - begun - (kernel.makingMs - made));
    if (outcome === undefined && own.groups.isIdle) this.#tools.store?.wait(seen, WAIT_MS);
    if (outcome === undefined) return { kind: 'yield' };
    if (outcome === 'done') return { kind: 'done' };
    const fault = this.#faults.report(own.launch, outcome);
    own.groups.release();
    return { kind: 'fault', fault };
  }

  drop(run: GroupRun): void {
    ownRun(run).groups.release();
  }

  warmUp(processor: string): boolean {
    if (this.#tools.tier === 'baseline') return false;
    this.#warmUp ??= warmUpOptimised(processor, this.#options, this.#tools.workshop);
    return this.#warmUp.next().done !== true;
  }

  get makingMs(): number {
    return this.#tools.making.ms;
  }

  makeCode(): MadeCode {
    const { store, workshop, making } = this.#tools;
    if (store === undefined) return 'none';
    this.#wishes ??= new WishCompiler(store, workshop, 'small');
    const begun = this.#now();
    const made = this.#wishes.step();
    making.ms += this.#now() - begun;
    return made;
  }

  #launchOf(kernel: CompiledKernel, dispatch: Dispatch): Launch {
    const found = this.#launches.get(dispatch);
    if (found?.kernel === kernel) return found;
    const { waveSize } = kernel.decoder;
    const [x, y, z] = dispatch.workgroup;
    const items = x * y * z;
    const waves = Math.ceil(items / waveSize);
    const registers = initialRegistersOf(dispatch, (dwords, offset) => this.#preload(dispatch, dwords, offset));
    const itemIds = packedItemIds(dispatch.workgroup, waveSize);
    const isWhole = dispatch.grid.every((size, axis) => size % (dispatch.workgroup[axis] ?? 1) === 0);
    const launch: Launch = {
      kernel,
      dispatch,
      program: kernel.variant({
        sgprs: registers.sgprs,
        itemIds,
        itemRegisters: registers.items,
        fullWaves: isWhole && items % waveSize === 0,
      }),
      layout: {
        ldsBytes: dispatch.ldsBytes,
        // Whole dwords: they are what is interleaved over the lanes.
        privateBytes: Math.ceil(dispatch.privateBytes / 4) * 4,
        waveSize,
        waves,
        slotBytes: slotBytes(kernel.vgprCount, waveSize),
      },
      waves: waves * dispatch.groups[0] * dispatch.groups[1] * dispatch.groups[2],
      registers,
      itemIds,
      speed: { instructionsPerMs: FIRST_SPEED },
    };
    this.#launches.set(dispatch, launch);
    return launch;
  }

  /** Writes what compiled code needs of the dispatch into the control block. */
  #install(launch: Launch): void {
    const { view } = this.#view;
    const { control } = this.#memory;
    const { dispatch, layout, registers, itemIds } = launch;
    const put = (offset: number, value: number): void => view.setUint32(control + offset, value >>> 0, true);
    put(CONTROL_SLOT_BYTES, layout.slotBytes);
    put(CONTROL_LDS_BYTES, layout.ldsBytes);
    put(CONTROL_PRIVATE_BYTES, layout.privateBytes);
    put(CONTROL_WAVES_PER_GROUP, layout.waves);
    put(CONTROL_GROUPS_X, dispatch.groups[0]);
    put(CONTROL_GROUPS_Y, dispatch.groups[1]);
    put(CONTROL_GROUP_ITEMS, dispatch.workgroup[0] * dispatch.workgroup[1] * dispatch.workgroup[2]);
    for (let axis = 0; axis < 3; axis++) {
      put(CONTROL_GRID + axis * 4, dispatch.grid[axis] ?? 1);
      put(CONTROL_WORKGROUP + axis * 4, dispatch.workgroup[axis] ?? 1);
    }
    for (const [index, value] of registers.userSgprs.entries()) put(CONTROL_USER_SGPRS + index * 4, value);
    for (const [index, id] of itemIds.entries()) put(CONTROL_ITEM_IDS + index * 4, id);
    this.#current = launch;
  }

  #target(kernel: CompiledKernel, address: bigint, mode: number): RunnableProgram | undefined {
    const offset = Number(address - kernel.image.address);
    if (offset < 0 || offset >= kernel.image.bytes.length || (offset & 3) !== 0) return undefined;
    return kernel.target(offset, mode);
  }

  #preload(dispatch: Dispatch, dwords: number, offset: number): Uint32Array {
    const bytes = dwords * 4;
    const place = this.#view.offsetOf(dispatch.kernargAddress + BigInt(offset * 4), bytes);
    if (place < 0 || !this.#view.allows(place, bytes, PAGE_READ)) {
      throw new HsaError('ERR_INVALID_ADDRESS', {
        message: `The kernel arguments at 0x${dispatch.kernargAddress.toString(16)} cannot be read.`,
      });
    }
    return Uint32Array.from({ length: dwords }, (_, index) => this.#view.view.getUint32(place + index * 4, true));
  }

  /** The run of executable pages around an address, as memory offsets; undefined if the address itself is in none. */
  #codeAt(address: bigint): CodePages | undefined {
    const offset = this.#view.offsetOf(address, 4);
    if (offset < 0 || (offset & 3) !== 0) return undefined;
    const wanted = PAGE_READ | PAGE_EXECUTE;
    const isCode = (page: number): boolean => page >= 0 && (this.#view.pageFlags(page) & wanted) === wanted;
    const page = offset - (offset % PAGE_BYTES);
    if (!isCode(page)) return undefined;
    let start = page;
    while (page - start < MAX_CODE_BYTES && isCode(start - PAGE_BYTES) && this.#isContinuous(address, offset, start - PAGE_BYTES))
      start -= PAGE_BYTES;
    let end = page + PAGE_BYTES;
    while (end - page < MAX_CODE_BYTES && isCode(end) && this.#isContinuous(address, offset, end)) end += PAGE_BYTES;
    return { offset, start, end };
  }

  /** Whether a page's neighbour in memory is its neighbour in the address space. */
  #isContinuous(address: bigint, offset: number, page: number): boolean {
    return this.#options.addressSpace === 'fixed' || this.#view.offsetOf(address + BigInt(page - offset), PAGE_BYTES) === page;
  }

  #snapshot(address: bigint, pages: CodePages): CodeImage {
    const entry = pages.offset - pages.start;
    const base = address - BigInt(entry);
    const now = this.#view.bytes.subarray(pages.start, pages.end);
    const last = this.#image;
    const bytes = last?.address === base && areEqualPages(last.bytes, now) ? last.bytes : now.slice();
    return (this.#image = { bytes, address: base, entry });
  }

  #isSameCode(kernel: CompiledKernel, address: bigint, pages: CodePages): boolean {
    // Code may compute addresses from its own place: it is the same kernel only there.
    if (address - BigInt(kernel.image.entry) !== kernel.image.address) return false;
    const { bytes } = this.#view;
    // What it calls lies anywhere around, and is made from its image.
    const epoch = this.#codeEpoch();
    if (epoch === undefined || this.#compared.get(kernel) !== epoch) {
      if (!areEqualPages(kernel.image.bytes, bytes.subarray(pages.start, pages.end))) return false;
      this.#compared.set(kernel, epoch);
      return true;
    }
    const shift = pages.offset - kernel.image.entry;
    for (const [first, end] of kernel.ranges) {
      if (first + shift < pages.start || end + shift > pages.end) return false;
      for (let i = first; i < end; i++) if (bytes[i + shift] !== kernel.image.bytes[i]) return false;
    }
    return true;
  }
}

interface CodePages {
  readonly offset: number;
  readonly start: number;
  readonly end: number;
}

/** Of whole pages. */
function areEqualPages(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const [x, y] = [a, b].map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length / 4));
  for (let i = 0; i < a.length / 4; i++) if (x?.[i] !== y?.[i]) return false;
  return true;
}

function ownRun(run: GroupRun): Run {
  if (run instanceof Run) return run;
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'The run was not started by this executor.' });
}
