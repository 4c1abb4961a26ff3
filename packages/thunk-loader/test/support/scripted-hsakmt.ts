/** A library of August 2025 that plays what a test tells it, and keeps each call with its arguments. */
import { readFileSync } from 'node:fs';
import type { HsakmtFunction, HsakmtFunctionName, HsakmtParam } from '@doorbell/abi';
import { HSAKMT_FUNCTIONS } from '@doorbell/abi';
import koffi from 'koffi';
import type { TemporaryFolder } from './built-library.js';
import { DECLARATIONS_B, functionsOf } from './fake-hsakmt.js';

const FUNCTIONS: Readonly<Record<string, HsakmtFunction>> = HSAKMT_FUNCTIONS;
const NAMES = functionsOf('B');
/** Words of a call in the log: function, arguments, and what the first 8 bytes behind each pointer were. */
const CALL_WORDS = 24;
const MAX_ARGUMENTS = 10;

/** A call: arguments as 64-bit words; `behind` has the first 8 bytes behind each pointer, as two 32-bit words. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: readonly bigint[];
  readonly behind: readonly (readonly [number, number])[];
}

export interface ScriptedLibrary {
  readonly path: string;
  /** From now on the function answers a status, and writes bytes behind its pointer arguments. */
  plan(name: HsakmtFunctionName, answer: { readonly status?: number; readonly out?: Readonly<Record<number, Uint8Array>> }): void;
  /** Calls of these functions since the last question. */
  calls(...names: readonly HsakmtFunctionName[]): readonly ScriptedCall[];
}

/** Compiled once; a copy is a library of its own to the dynamic loader. */
let compiled: Uint8Array | undefined;

export function buildScripted(folder: TemporaryFolder): ScriptedLibrary {
  compiled ??= readFileSync(folder.build('compiled.so', { functions: [], code: source(), flags: ['-lc'] }));
  const path = folder.write('libhsakmt.so.1', compiled);
  const library = koffi.load(path);
  const setStatus = library.func('void script_status(int, int)') as unknown as (id: number, status: number) => void;
  const setOut = library.func('void script_out(int, int, void *, int)') as unknown as (...args: readonly unknown[]) => void;
  const take = library.func('int script_take(void *)') as unknown as (out: BigUint64Array) => number;
  return {
    path,
    plan: (name, { status = 0, out = {} }) => {
      const id = NAMES.indexOf(name);
      setStatus(id, status);
      for (const [argument, bytes] of Object.entries(out)) setOut(id, Number(argument), bytes, bytes.length);
    },
    calls: (...names) => {
      const words = new BigUint64Array(CALL_WORDS * 256);
      const count = take(words);
      const all = Array.from({ length: count }, (_, i) => callOf(words.subarray(i * CALL_WORDS, (i + 1) * CALL_WORDS)));
      return all.filter(({ name }) => (names as readonly string[]).includes(name));
    },
  };
}

function callOf(words: BigUint64Array): ScriptedCall {
  const name = NAMES[Number(words[0])]!;
  const { length } = FUNCTIONS[name]!.params;
  const args = [...words.subarray(1, 1 + length)];
  const behind = [...words.subarray(1 + MAX_ARGUMENTS, 1 + MAX_ARGUMENTS + length)].map(
    (word) => [Number(word & 0xffff_ffffn), Number(word >> 32n)] as const,
  );
  return { name, args, behind };
}

function source(): string {
  return `${DECLARATIONS_B}
#include <pthread.h>
#include <string.h>
typedef unsigned long long word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static word calls[256][${CALL_WORDS}];
static int count, statuses[${NAMES.length}], lengths[${NAMES.length}][${MAX_ARGUMENTS}];
static char outs[${NAMES.length}][${MAX_ARGUMENTS}][1024];
void script_status(int id, int status) { statuses[id] = status; }
void script_out(int id, int argument, void *bytes, int length) { lengths[id][argument] = length; memcpy(outs[id][argument], bytes, length); }
int script_take(void *out) {
  pthread_mutex_lock(&lock);
  int taken = count;
  memcpy(out, calls, sizeof calls);
  count = 0;
  pthread_mutex_unlock(&lock);
  return taken;
}
static HSAKMT_STATUS play(int id, const word *words, unsigned pointers) {
  pthread_mutex_lock(&lock);
  word *call = calls[count < 255 ? count++ : 255];
  call[0] = id;
  for (int i = 0; i < ${MAX_ARGUMENTS}; i++) {
    call[1 + i] = words[i];
    if (!(pointers >> i & 1) || !words[i]) continue;
    memcpy(&call[1 + ${MAX_ARGUMENTS} + i], (void *)words[i], 8);
    memcpy((void *)words[i], outs[id][i], lengths[id][i]);
  }
  pthread_mutex_unlock(&lock);
  return (HSAKMT_STATUS)statuses[id];
}
${NAMES.map((name, id) => player(name, id, FUNCTIONS[name]!.params)).join('\n')}`;
}

function player(name: string, id: number, params: readonly HsakmtParam[]): string {
  const list = params.map(({ cType }, i) => `${cType} a${i}`).join(', ');
  const words = params.map(({ cType, kind }, i) =>
    kind === 'pointer' || !/Flags$|_FLAGS$/.test(cType) ? `(word)a${i}` : `a${i}.Value`,
  );
  const pointers = params.reduce((bits, { to = 'void' }, i) => (to === 'void' ? bits : bits | (1 << i)), 0);
  return `HSAKMT_STATUS ${name}(${list || 'void'}) { word w[${MAX_ARGUMENTS}] = { ${words.join(', ') || '0'} }; return play(${id}, w, ${pointers}); }`;
}
