import { hsa, HsaError, ref } from '@doorbell/abi';
import type { CodeObject, KernelInfo, TargetId } from '@doorbell/code-object/core';
import {
  findKernel,
  formatTargetId,
  isaMismatch,
  parseCodeObject,
  parseDeviceFile,
  parseTargetId,
  rankEntries,
} from '@doorbell/code-object/core';
import { withOverrideNamed } from '../core/override-mismatch.js';
import type { DeviceContext } from './device-context.js';
import { LoadedKernel } from './loaded-kernel.js';
import type { Signature } from './signature.js';
import type { Completion, Kernel, LaunchOptions, Module } from './types.js';

/** What a module needs of its device. */
export interface ModuleHost {
  readonly context: DeviceContext;
  whyClosed(): HsaError | undefined;
  launch(kernel: LoadedKernel, options: LaunchOptions): Completion;
}

/** A code object in the device's memory: an HSA executable of one. */
export class LoadedModule implements Module {
  readonly target: string;
  readonly kernelNames: readonly string[];
  readonly #host: ModuleHost;
  readonly #codeObject: CodeObject;
  readonly #executable: bigint;
  readonly #onDispose: () => void;
  #isDisposed = false;

  /** @throws {HsaError} ERR_CODE_OBJECT…, ERR_ISA_MISMATCH with the targets of file and device, ERR_RELOCATION. */
  constructor(host: ModuleHost, bytes: Uint8Array, onDispose: () => void) {
    this.#host = host;
    this.#onDispose = onDispose;
    const { context } = host;
    const target = parseTargetId(context.gpu.isa.targetId);
    const how = context.runtime.hotSwap.retargets ? 'retarget' : 'as-they-are';
    const code = withOverrideNamed(context.gpu, () => chooseCode(bytes, target, how));
    this.#codeObject = parseCodeObject(code);
    this.target = formatTargetId(this.#codeObject.target);
    this.kernelNames = this.#codeObject.kernels.map(({ name }) => name);
    this.#executable = loadExecutable(context, code);
  }

  kernel(name: string): Kernel;
  kernel<const S extends Signature>(name: string, signature: S): Kernel<S>;
  kernel(name: string, signature?: Signature): Kernel {
    const closed = this.whyClosed();
    if (closed) throw closed;
    const info = findKernel(this.#codeObject, name);
    return new LoadedKernel(
      {
        context: this.#host.context,
        whyClosed: () => this.whyClosed(),
        launch: (kernel, options) => this.#host.launch(kernel, options),
      },
      { info, object: this.#kernelObject(info) },
      signature,
    );
  }

  whyClosed(): HsaError | undefined {
    if (this.#isDisposed) return new HsaError('ERR_DISPOSED', { message: 'the module was disposed' });
    return this.#host.whyClosed();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#onDispose();
    const { context } = this.#host;
    context.hsa.check('destroying an executable', () => context.table.core.hsa_executable_destroy(this.#executable));
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #kernelObject({ symbol: name }: KernelInfo): bigint {
    const { context } = this.#host;
    const { core } = context.table;
    const symbol = ref(0n);
    context.hsa.check(`looking for ${name}`, () =>
      core.hsa_executable_get_symbol_by_name(this.#executable, name, context.agent.handle, symbol),
    );
    const object = ref<unknown>(0n);
    context.hsa.check(`asking for the address of ${name}`, () =>
      core.hsa_executable_symbol_get_info(symbol.value, hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, object),
    );
    if (typeof object.value !== 'bigint')
      throw new HsaError('ERR_TOOL', { message: `a tool gave ${String(object.value)} for the address of ${name}` });
    return object.value;
  }
}

/**
 * The code object for the target in any file that holds some. `retarget`: failing one that fits, a relative's is taken, which HotSwap
 * makes fit at load.
 */
function chooseCode(bytes: Uint8Array, agent: TargetId, how: 'retarget' | 'as-they-are'): Uint8Array {
  const { format, entries } = parseDeviceFile(bytes);
  if (format === 'code-object') return bytes;
  const [best] = rankEntries(entries, agent);
  if (best !== undefined && (best.fit !== 'retarget' || how === 'retarget')) return best.entry.bytes;
  throw isaMismatch(
    entries.flatMap(({ target }) => target ?? []),
    agent,
  );
}

/** Reader, executable, load, freeze: the calls that tools watch. */
function loadExecutable(context: DeviceContext, code: Uint8Array): bigint {
  const { core } = context.table;
  const reader = ref(0n);
  context.hsa.check('reading the code object', () =>
    core.hsa_code_object_reader_create_from_memory(code, BigInt(code.length), reader),
  );
  try {
    const executable = ref(0n);
    context.hsa.check('creating an executable', () =>
      core.hsa_executable_create_alt(hsa.HSA_PROFILE_FULL, hsa.HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, null, executable),
    );
    try {
      context.hsa.check('loading the code object', () =>
        core.hsa_executable_load_agent_code_object(executable.value, context.agent.handle, reader.value, null, null),
      );
      context.hsa.check('freezing the executable', () => core.hsa_executable_freeze(executable.value, null));
    } catch (error) {
      core.hsa_executable_destroy(executable.value);
      throw error;
    }
    return executable.value;
  } finally {
    core.hsa_code_object_reader_destroy(reader.value);
  }
}
