/** Libraries with libhsakmt's functions, made by the C compiler, that record their arguments. */
import type { HsakmtFunction, HsakmtParam } from '@doorbell/abi';
import { HSAKMT_FUNCTIONS } from '@doorbell/abi';
import type { AbiGeneration } from '../../src/load/abi-generation.js';

const FUNCTIONS: Readonly<Record<string, HsakmtFunction>> = HSAKMT_FUNCTIONS;

/** Names of the functions that a generation exports. */
export function functionsOf(generation: AbiGeneration): readonly string[] {
  return Object.keys(FUNCTIONS).filter((name) => FUNCTIONS[name]!.generations.includes(generation));
}

/**
 * A recorder: each function keeps its arguments as 64-bit words (`fake_words`), flips the first byte behind each pointer that is no
 * `void *`, sets errno to ENOSPC and answers `fake_status`. `declarations` give the C types, which the compiler checks against its prototypes.
 */
export function recorderSource(generation: AbiGeneration, declarations: string): string {
  return [
    declarations,
    '#include <errno.h>',
    'static unsigned long long words[16]; static int count, status;',
    'void fake_answer(int value) { status = value; }',
    'int fake_words(void *out) { __builtin_memcpy(out, words, sizeof words); return count; }',
    ...functionsOf(generation).map((name) => recorder(name, FUNCTIONS[name]!.params)),
  ].join('\n');
}

function recorder(name: string, params: readonly HsakmtParam[]): string {
  const list = params.map(({ cType }, i) => `${cType} a${i}`).join(', ');
  const body = params.map((param, i) => `words[${i}] = ${wordOf(param, `a${i}`)};${flip(param, `a${i}`)}`);
  return `HSAKMT_STATUS ${name}(${list === '' ? 'void' : list}) { ${body.join(' ')} count = ${params.length}; errno = 28; return (HSAKMT_STATUS)status; }`;
}

function wordOf({ cType, kind }: HsakmtParam, argument: string): string {
  if (kind === 'pointer') return `(unsigned long long)${argument}`;
  if (/^Hsa\w*Flags$/.test(cType)) return `${argument}.Value`;
  if (cType === 'HSA_REGISTER_MEM_FLAGS') return `${argument}.Value`;
  return `(unsigned long long)(long long)${argument}`;
}

function flip({ kind, to }: HsakmtParam, argument: string): string {
  return kind === 'pointer' && to !== 'void' ? ` if (${argument}) *(unsigned char *)${argument} ^= 0xff;` : '';
}

/**
 * Types of August 2025, as far as functions pass them: enums by their least and greatest values, which decide their width, flag words as
 * structures of one word, and structures as names, since only their addresses are passed.
 */
export const DECLARATIONS_B: string = `
#include <stdbool.h>
#include <stdint.h>
typedef uint32_t HSAuint32; typedef int32_t HSAint32; typedef uint64_t HSAuint64;
typedef HSAuint64 HSA_QUEUEID; typedef HSAuint64 HSATraceId; typedef HSAuint32 HsaPcSamplingTraceId;
typedef HSAuint32 HsaSharedMemoryHandle[8]; typedef void *HsaAMDGPUDeviceHandle;
typedef enum { STATUS_FIRST = 0, STATUS_LAST = 37 } HSAKMT_STATUS;
typedef enum { PRIORITY_MINIMUM = -3, PRIORITY_FORCE = 0xFFFFFFFF } HSA_QUEUE_PRIORITY;
typedef enum { QUEUE_FIRST = 1, QUEUE_FORCE = 0xFFFFFFFF } HSA_QUEUE_TYPE;
typedef enum { WAVEOP_FIRST = 1, WAVEOP_FORCE = 0xFFFFFFFF } HSA_DBG_WAVEOP;
typedef enum { WAVEMODE_FIRST = 0, WAVEMODE_FORCE = 0xFFFFFFFF } HSA_DBG_WAVEMODE;
typedef enum { WATCH_FIRST = 0, WATCH_LAST = 4 } HSA_DBG_WATCH_MODE;
typedef struct { union { struct { unsigned NonPaged : 1, CachePolicy : 2, Others : 29; } ui32; HSAuint32 Value; }; } HsaMemFlags;
typedef struct { union { struct { unsigned Reserved1 : 1, CachePolicy : 2, Others : 29; } ui32; HSAuint32 Value; }; } HsaMemMapFlags;
typedef union { HSAuint32 Value; struct { unsigned requiresVAddr : 1, Others : 31; } ui32; } HSA_REGISTER_MEM_FLAGS;
_Static_assert(sizeof(HSA_QUEUE_PRIORITY) == 8 && sizeof(HSA_QUEUE_TYPE) == 4 && sizeof(HsaMemFlags) == 4, "widths");
#define OPAQUE(name) typedef struct name name;
OPAQUE(HsaSystemProperties) OPAQUE(HsaNodeProperties) OPAQUE(HsaMemoryProperties) OPAQUE(HsaCacheProperties) OPAQUE(HsaIoLinkProperties)
OPAQUE(HsaEvent) OPAQUE(HsaEventDescriptor) OPAQUE(HsaQueueResource) OPAQUE(HsaQueueInfo) OPAQUE(HsaQueueReport) OPAQUE(HsaClockCounters)
OPAQUE(HsaVersionInfo) OPAQUE(HsaGraphicsResourceInfo) OPAQUE(HsaPointerInfo) OPAQUE(HsaGpuTileConfig) OPAQUE(HsaMemoryRange)
OPAQUE(HSA_SVM_ATTRIBUTE) OPAQUE(HsaCounter) OPAQUE(HsaCounterProperties) OPAQUE(HsaPmcTraceRoot) OPAQUE(HsaPcSamplingInfo)
OPAQUE(HsaDbgWaveMessage)
`;
