import koffi from 'koffi';

/** AMD_COMGR_DATA_KIND_… (amd_comgr.h). */
const KINDS = { relocatable: 7, executable: 8 } as const;
const SUCCESS = 0;

/** What `amd_comgr_get_data_isa_name` of Debian's libamd-comgr2 says of a code object: the name, or the status it refuses with. */
export type ComgrIsaName = (bytes: Uint8Array, kind?: keyof typeof KINDS) => string | number;

/** The function, or why it is not to be had. In CI it must be there. */
export function loadComgr(): { readonly isaName?: ComgrIsaName; readonly missing: string } {
  let library: ReturnType<typeof koffi.load>;
  try {
    library = koffi.load('libamd_comgr.so.2');
  } catch (error) {
    if (process.env['DOORBELL_CI'] === '1') throw error;
    return { missing: 'libamd_comgr.so.2 is not installed' };
  }
  // A handle is a struct of one uint64_t, which is passed as that.
  const create = library.func('int amd_comgr_create_data(int kind, _Out_ uint64_t *data)') as (
    kind: number,
    data: bigint[],
  ) => number;
  const release = library.func('int amd_comgr_release_data(uint64_t data)') as (data: bigint) => number;
  const set = library.func('int amd_comgr_set_data(uint64_t data, size_t size, const uint8_t *bytes)') as (
    data: bigint,
    size: number,
    bytes: Uint8Array,
  ) => number;
  const getName = library.func('int amd_comgr_get_data_isa_name(uint64_t data, _Inout_ size_t *size, _Out_ uint8_t *name)') as (
    data: bigint,
    size: number[],
    name: Uint8Array,
  ) => number;
  const isaName: ComgrIsaName = (bytes, kind = 'executable') => {
    const data: bigint[] = [0n];
    if (create(KINDS[kind], data) !== SUCCESS) throw new Error('amd_comgr_create_data failed');
    const [handle = 0n] = data;
    try {
      const taken = set(handle, bytes.length, bytes);
      if (taken !== SUCCESS) return taken;
      const size = [256];
      const name = new Uint8Array(256);
      const status = getName(handle, size, name);
      return status === SUCCESS ? new TextDecoder().decode(name.subarray(0, name.indexOf(0))) : status;
    } finally {
      release(handle);
    }
  };
  return { isaName, missing: '' };
}
