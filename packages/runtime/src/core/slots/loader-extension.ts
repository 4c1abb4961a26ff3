/** Extensions of the system, of which there is one: AMD's loader (hsa_ven_amd_loader.h, version 1.03; hsa-api §6.2). */
import type { AmdLoaderApi, CoreApi, hsaStructs } from '@doorbell/abi';
import { AMD_LOADER_SLOTS, hsa, isHsaError } from '@doorbell/abi';
import { fileOrigin } from '../code-object-origin.js';
import type { LoadedCodeObject } from '../executables.js';
import { readDescriptor } from '../files.js';
import type { Runtime } from '../runtime.js';
import { fail, required, SUCCESS } from './result.js';

const POINTER_BYTES = 8n;
/** Functions that versions 1.00 to 1.03 have. */
const SLOTS_OF_MINOR: readonly number[] = [3, 5, 6, 7];
const { HSA_STATUS_ERROR_INVALID_ARGUMENT } = hsa;

export function extensionSlots(runtime: Runtime): Partial<CoreApi> {
  const functions = loaderFunctions(runtime);
  const tableOf = (slots: number): Partial<AmdLoaderApi> =>
    Object.fromEntries(AMD_LOADER_SLOTS.slice(0, slots).map((slot) => [slot, functions[slot]]));
  return {
    hsa_system_extension_supported: (extension, major, minor, result) => {
      requireExtension(extension);
      result.value = isLoader(extension, major) && minor < SLOTS_OF_MINOR.length;
      return SUCCESS;
    },
    hsa_system_major_extension_supported: (extension, major, minor, result) => {
      requireExtension(extension);
      result.value = isLoader(extension, major);
      if (result.value) minor.value = SLOTS_OF_MINOR.length - 1;
      return SUCCESS;
    },
    hsa_system_get_extension_table: (extension, major, minor, table) => {
      requireExtension(extension);
      const slots = SLOTS_OF_MINOR[minor];
      if (slots === undefined || !isLoader(extension, major)) return hsa.HSA_STATUS_ERROR;
      table.value = tableOf(slots);
      return SUCCESS;
    },
    hsa_system_get_major_extension_table: (extension, major, length, table) => {
      requireExtension(extension);
      if (length === 0n) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
      if (!isLoader(extension, major)) return hsa.HSA_STATUS_ERROR;
      table.value = tableOf(Number(length / POINTER_BYTES));
      return SUCCESS;
    },
  };
}

function isLoader(extension: number, major: number): boolean {
  return extension === hsa.HSA_EXTENSION_AMD_LOADER && major === 1;
}

/** Numbers of hsa.h and hsa_ext_amd.h. */
function requireExtension(extension: number): void {
  const isStandard = extension <= hsa.HSA_EXTENSION_STD_LAST;
  const isAmd = extension >= hsa.HSA_AMD_FIRST_EXTENSION && extension <= hsa.HSA_AMD_LAST_EXTENSION;
  if (!isStandard && !isAmd) fail(HSA_STATUS_ERROR_INVALID_ARGUMENT, `no extension is 0x${extension.toString(16)}`);
}

function loaderFunctions(runtime: Runtime): AmdLoaderApi {
  const { loader, memory } = runtime;
  const loadedAt = (address: bigint): LoadedCodeObject =>
    required(loader.findLoaded(address), HSA_STATUS_ERROR_INVALID_ARGUMENT, 'loaded code at that address');
  const functions: AmdLoaderApi = {
    hsa_ven_amd_loader_query_host_address: (address, hostAddress) => {
      const { image } = loadedAt(address);
      const rest = image.sizeBytes - Number(address - image.address);
      hostAddress.value = memory.view(address, rest);
      return SUCCESS;
    },
    hsa_ven_amd_loader_query_segment_descriptors: (descriptors, count) => {
      const all = [...loader.loadedCodeObjects.values()];
      if ((descriptors === null) !== (count.value === 0n)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
      if (descriptors === null) {
        count.value = BigInt(all.length);
        return SUCCESS;
      }
      if (count.value !== BigInt(all.length)) return hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
      descriptors.value = all.map(describeSegment);
      return SUCCESS;
    },
    hsa_ven_amd_loader_query_executable: (address, executable) => {
      executable.value = loadedAt(address).executable.handle;
      return SUCCESS;
    },
    hsa_ven_amd_loader_executable_iterate_loaded_code_objects: (handle, callback, data) => {
      const executable = required(loader.executables.get(handle), hsa.HSA_STATUS_ERROR_INVALID_EXECUTABLE, 'executable');
      return each(
        executable.loaded.map((loaded) => loaded.handle),
        (loaded) => callback(handle, loaded, data),
      );
    },
    hsa_ven_amd_loader_loaded_code_object_get_info: (handle, attribute, value) => {
      const loaded = required(
        loader.loadedCodeObjects.get(handle),
        hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
        'loaded code object',
      );
      value.value = loadedInfo(loaded, attribute);
      return SUCCESS;
    },
    hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size: (file, offset, size, reader) => {
      if (file === -1) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const region = { offsetBytes: Number(offset), sizeBytes: Number(size) };
      const bytes = readDescriptor(file, region);
      if (bytes.length === 0 || bytes.length < region.sizeBytes) return hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
      reader.value = loader.readers.add({ bytes, origin: fileOrigin(file, region) });
      return SUCCESS;
    },
    hsa_ven_amd_loader_iterate_executables: (callback, data) =>
      each(
        [...loader.executables.values()].map(({ handle }) => handle),
        (executable) => callback(executable, data),
      ),
  };
  for (const slot of AMD_LOADER_SLOTS) {
    // Safe: it is called with the arguments that came, as many as it has.
    Reflect.set(functions, slot, contained(runtime, slot, functions[slot] as (...args: unknown[]) => number));
  }
  return functions;
}

/** These functions stand in no table of ours: what slots do for others, they do by this. */
function contained(runtime: Runtime, slot: string, call: (...args: unknown[]) => number): (...args: unknown[]) => number {
  const mayBeNull = NULLABLE[slot] ?? -1;
  return (...args) => {
    if (!runtime.isOpen) return hsa.HSA_STATUS_ERROR_NOT_INITIALIZED;
    for (let index = 0; index < call.length; index++) {
      if ((args[index] === undefined || args[index] === null) && index !== mayBeNull) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
    try {
      return call(...args);
    } catch (error) {
      runtime.events.publish({
        source: 'runtime',
        name: 'slot-failed',
        level: isHsaError(error) ? 'debug' : 'error',
        message: `${slot}: ${error instanceof Error ? error.message : String(error)}`,
        details: { slot, error },
      });
      return isHsaError(error) ? error.hsaStatus : hsa.HSA_STATUS_ERROR;
    }
  };
}

/** Parameters that may be null: a list of descriptors, and user data. */
const NULLABLE: Readonly<Record<string, number>> = {
  hsa_ven_amd_loader_query_segment_descriptors: 0,
  hsa_ven_amd_loader_executable_iterate_loaded_code_objects: 2,
  hsa_ven_amd_loader_iterate_executables: 1,
};

function each(handles: readonly bigint[], call: (handle: bigint) => number): number {
  for (const handle of handles) {
    const status = call(handle);
    if (status !== SUCCESS) return status;
  }
  return SUCCESS;
}

/** Each code object is one segment. A path and an array have no address: the base is 0. */
function describeSegment(loaded: LoadedCodeObject): hsaStructs.hsa_ven_amd_loader_segment_descriptor_t {
  const { agent, executable, origin, image, plan } = loaded;
  return {
    agent: agent.handle,
    executable: executable.handle,
    code_object_storage_type: storageType(loaded),
    code_object_storage_base: 0n,
    code_object_storage_size: BigInt(origin.path === undefined ? plan.bytes.length : origin.path.length + 1),
    code_object_storage_offset: BigInt(plan.segments[0]?.fileOffset ?? 0),
    segment_base: image.address,
    segment_size: BigInt(plan.imageBytes),
  };
}

function storageType({ origin }: LoadedCodeObject): number {
  return origin.storage === 'file'
    ? hsa.HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_FILE
    : hsa.HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
}

function loadedInfo(loaded: LoadedCodeObject, attribute: number): unknown {
  const { agent, executable, origin, image, plan } = loaded;
  const only = <T>(storage: 'memory' | 'file', value: T): T =>
    origin.storage === storage ? value : fail(HSA_STATUS_ERROR_INVALID_ARGUMENT, `the code object comes from ${origin.uri}`);
  switch (attribute) {
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_EXECUTABLE:
      return executable.handle;
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_KIND:
      return hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_KIND_AGENT;
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_AGENT:
      return agent.handle;
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_TYPE:
      return storageType(loaded);
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_BASE:
      // The bytes themselves: an array has no address.
      return only('memory', plan.bytes);
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_MEMORY_SIZE:
      return only('memory', BigInt(plan.bytes.length));
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_CODE_OBJECT_STORAGE_FILE:
      return only('file', origin.file);
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA:
      return image.address - plan.baseVaddr;
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE:
      return image.address;
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE:
      return BigInt(plan.imageBytes);
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH:
      return origin.uri.length;
    case hsa.HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI:
      return origin.uri;
    default:
      return fail(HSA_STATUS_ERROR_INVALID_ARGUMENT, `attribute ${attribute} is not known of a loaded code object`);
  }
}
