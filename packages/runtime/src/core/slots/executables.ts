/** Slots about code object readers, executables and symbols: hsa.h, "Executable"; loader rules: hsa-api §6–7. */
import type { CoreApi } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import { parseCodeObject } from '@doorbell/code-object/core';
import type { RuntimeAgent } from '../agents.js';
import { fileOrigin, memoryOrigin } from '../code-object-origin.js';
import type { CodeObjectReader, Executable, ExecutableSymbol } from '../executables.js';
import { externalKey } from '../executables.js';
import { readDescriptor } from '../files.js';
import type { Runtime } from '../runtime.js';
import { fail, required, SUCCESS } from './result.js';

/** Kernarg segments of code objects since version 3 are aligned to 16 bytes (hsa-api §6.1). */
const KERNARG_ALIGN = 16;
const PROFILES: readonly number[] = [hsa.HSA_PROFILE_BASE, hsa.HSA_PROFILE_FULL];
const STATES: readonly number[] = [hsa.HSA_EXECUTABLE_STATE_UNFROZEN, hsa.HSA_EXECUTABLE_STATE_FROZEN];
const ROUNDING_MODES: readonly number[] = [
  hsa.HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
  hsa.HSA_DEFAULT_FLOAT_ROUNDING_MODE_ZERO,
  hsa.HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
];

export function executableSlots(runtime: Runtime): Partial<CoreApi> {
  const { loader, registry } = runtime;
  const agentOf = (handle: bigint): RuntimeAgent =>
    required(registry.agents.get(handle), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
  const executableOf = (handle: bigint): Executable =>
    required(loader.executables.get(handle), hsa.HSA_STATUS_ERROR_INVALID_EXECUTABLE, 'executable');
  const readerOf = (handle: bigint): CodeObjectReader =>
    required(loader.readers.get(handle), hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER, 'code object reader');
  const unfrozen = (handle: bigint): Executable => {
    const executable = executableOf(handle);
    return executable.state === 'frozen' ? fail(hsa.HSA_STATUS_ERROR_FROZEN_EXECUTABLE, 'the executable is frozen') : executable;
  };
  return {
    hsa_code_object_reader_create_from_memory: (codeObject, size, reader) => {
      if (size === 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const bytes = loader.bytesOf(codeObject, Number(size));
      reader.value = loader.readers.add({ bytes, origin: memoryOrigin(codeObject, bytes.length) });
      return SUCCESS;
    },
    hsa_code_object_reader_create_from_file: (file, reader) => {
      if (file === -1) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const bytes = readDescriptor(file);
      if (bytes.length === 0) return hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
      reader.value = loader.readers.add({ bytes, origin: fileOrigin(file) });
      return SUCCESS;
    },
    hsa_code_object_reader_destroy: (reader) => {
      readerOf(reader);
      loader.readers.delete(reader);
      return SUCCESS;
    },
    hsa_executable_create_alt: (profile, rounding, _options, executable) => {
      if (!PROFILES.includes(profile) || !ROUNDING_MODES.includes(rounding)) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      executable.value = loader.createExecutable('unfrozen').handle;
      return SUCCESS;
    },
    hsa_executable_create: (profile, state, _options, executable) => {
      if (!PROFILES.includes(profile) || !STATES.includes(state)) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      executable.value = loader.createExecutable(state === hsa.HSA_EXECUTABLE_STATE_FROZEN ? 'frozen' : 'unfrozen').handle;
      return SUCCESS;
    },
    hsa_executable_destroy: (handle) => {
      loader.unload(executableOf(handle));
      loader.executables.delete(handle);
      return SUCCESS;
    },
    hsa_executable_agent_global_variable_define: (handle, agent, name, address) => {
      const { externals } = unfrozen(handle);
      const key = externalKey(agentOf(agent), name);
      if (externals.has(key)) return hsa.HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED;
      externals.set(key, address);
      return SUCCESS;
    },
    hsa_executable_load_agent_code_object: (handle, agent, reader, _options, loaded) => {
      const object = loader.load(unfrozen(handle), agentOf(agent), readerOf(reader));
      if (loaded) loaded.value = object.handle;
      return SUCCESS;
    },
    // Deprecated: a code object that was deserialized takes the place of a reader.
    hsa_code_object_deserialize: (serialized, size, _options, codeObject) => {
      if (size === 0n || serialized === 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const bytes = loader.bytesOf(serialized, Number(size)).slice();
      codeObject.value = loader.codeObjects.add({ bytes, origin: memoryOrigin(serialized, bytes.length) });
      return SUCCESS;
    },
    hsa_code_object_destroy: (codeObject) =>
      loader.codeObjects.delete(codeObject) ? SUCCESS : hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
    hsa_executable_load_code_object: (handle, agent, codeObject) => {
      const bytes = required(loader.codeObjects.get(codeObject), hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT, 'code object');
      loader.load(unfrozen(handle), agentOf(agent), bytes);
      return SUCCESS;
    },
    hsa_executable_load_program_code_object: (handle, reader) => {
      unfrozen(handle);
      const { target, kernels } = parseCodeObject(readerOf(reader).bytes);
      // Only code objects of version 1 have segments that belong to no agent; all code since is laid out in an agent's memory.
      return fail(
        hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
        `code for ${target.processor} (${kernels.length} kernels) is loaded for an agent, not for a whole program`,
      );
    },
    hsa_executable_freeze: (handle) => {
      unfrozen(handle).state = 'frozen';
      return SUCCESS;
    },
    hsa_executable_get_info: (handle, attribute, value) => {
      const executable = executableOf(handle);
      switch (attribute) {
        case hsa.HSA_EXECUTABLE_INFO_PROFILE:
          value.value = hsa.HSA_PROFILE_FULL;
          return SUCCESS;
        case hsa.HSA_EXECUTABLE_INFO_STATE:
          value.value = executable.state === 'frozen' ? hsa.HSA_EXECUTABLE_STATE_FROZEN : hsa.HSA_EXECUTABLE_STATE_UNFROZEN;
          return SUCCESS;
        case hsa.HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
          value.value = hsa.HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
          return SUCCESS;
        default:
          return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      }
    },
    hsa_executable_validate: (handle, result) => {
      executableOf(handle);
      result.value = 0;
      return SUCCESS;
    },
    hsa_executable_validate_alt: (handle, _options, result) => {
      executableOf(handle);
      result.value = 0;
      return SUCCESS;
    },
    hsa_executable_get_symbol_by_name: (handle, name, agent, symbol) => {
      const executable = executableOf(handle);
      const found = agent === null ? undefined : loader.findSymbol(executable, agentOf(agent), name);
      if (found === undefined) return hsa.HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
      symbol.value = found.handle;
      return SUCCESS;
    },
    hsa_executable_iterate_agent_symbols: (handle, agent, callback, data) => {
      const wanted = agentOf(agent);
      for (const symbol of executableOf(handle).symbols.values()) {
        if (symbol.agent !== wanted) continue;
        const status = callback(handle, agent, symbol.handle, data);
        if (status !== SUCCESS) return status;
      }
      return SUCCESS;
    },
    hsa_executable_symbol_get_info: (handle, attribute, value) => {
      const symbol = required(loader.symbols.get(handle), hsa.HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL, 'symbol');
      value.value = symbolInfo(symbol, attribute);
      return SUCCESS;
    },
  };
}

function symbolInfo(symbol: ExecutableSymbol, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
      return symbol.kernel ? hsa.HSA_SYMBOL_KIND_KERNEL : hsa.HSA_SYMBOL_KIND_VARIABLE;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
      return symbol.name.length;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_NAME:
      return symbol.name;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
      return 0;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
      return '';
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
      return symbol.agent.handle;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
      return hsa.HSA_SYMBOL_LINKAGE_PROGRAM;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
      return true;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
      return symbol.address;
    default:
      return symbol.kernel ? kernelInfo(symbol, symbol.kernel, attribute) : variableInfo(symbol, attribute);
  }
}

function kernelInfo(symbol: ExecutableSymbol, kernel: NonNullable<ExecutableSymbol['kernel']>, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
      return symbol.address;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
      return kernel.kernargBytes;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
      return KERNARG_ALIGN;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
      return kernel.groupBytes;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
      return kernel.privateBytes;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
      return kernel.usesDynamicStack;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
      return 0;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `symbol attribute ${attribute} is not known of a kernel`);
  }
}

function variableInfo(symbol: ExecutableSymbol, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
      return hsa.HSA_VARIABLE_ALLOCATION_AGENT;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
      return hsa.HSA_VARIABLE_SEGMENT_GLOBAL;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
      return 1;
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
      return Number(symbol.sizeBytes);
    case hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
      return false;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `symbol attribute ${attribute} is not known of a variable`);
  }
}
