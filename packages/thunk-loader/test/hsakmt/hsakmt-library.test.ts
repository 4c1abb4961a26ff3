import { existsSync } from 'node:fs';
import type { HsakmtFunctionName } from '@doorbell/abi';
import { HSAKMT_FUNCTIONS, hsakmtA, hsakmtB } from '@doorbell/abi';
import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import type { HsakmtLibrary } from '../../src/hsakmt/hsakmt-library.js';
import { openHsakmtLibrary } from '../../src/hsakmt/hsakmt-library.js';
import type { AbiGeneration } from '../../src/load/abi-generation.js';
import type { TemporaryFolder } from '../support/built-library.js';
import { noCompiler, temporaryFolder } from '../support/built-library.js';
import { DECLARATIONS_B, functionsOf, recorderSource } from '../support/fake-hsakmt.js';

// vitest's matchers have the type any.
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const having = (facts: object): unknown => expect.objectContaining(facts);
const containing = (text: string): unknown => expect.stringContaining(text);

const HEADER = '/usr/include/hsakmt.h';
const noHeader = noCompiler === '' && !existsSync(HEADER) ? `skipped: no ${HEADER} (libhsakmt-dev)` : noCompiler;

interface Recorder {
  readonly library: HsakmtLibrary;
  readonly answer: (status: number) => void;
  readonly words: () => readonly bigint[];
}

function openRecorder(folder: TemporaryFolder, generation: AbiGeneration): Recorder {
  const declarations = generation === 'A' ? `#include <hsakmt.h>` : DECLARATIONS_B;
  const code = recorderSource(generation, declarations);
  const path = folder.build(`recorder-${generation}.so`, {
    functions: [],
    code,
    flags: ['-lc', '-Werror=incompatible-pointer-types'],
  });
  const handle = koffi.load(path);
  const answer = handle.func('void fake_answer(int)') as unknown as (status: number) => void;
  const read = handle.func('int fake_words(void *)') as unknown as (out: BigUint64Array) => number;
  return {
    library: openHsakmtLibrary({ path, generation, version: '9.9' }),
    answer,
    words: () => {
      const out = new BigUint64Array(16);
      return [...out.subarray(0, read(out))];
    },
  };
}

/** An argument of each kind whose every byte counts, and the 64-bit word that C must see; `variant` 1 has the sign bit set. */
function sampleOf(
  param: (typeof HSAKMT_FUNCTIONS)[HsakmtFunctionName]['params'][number],
  { index, variant, generation }: { index: number; variant: 0 | 1; generation: AbiGeneration },
): { value: unknown; word: bigint | undefined } {
  const n = index + 1;
  switch (param.kind) {
    case 'u32':
      return variant === 0 ? { value: 0x1122_3300 + n, word: BigInt(0x1122_3300 + n) } : { value: 0xffff_fff0, word: undefined };
    case 'i32':
      return variant === 0 ? { value: n, word: BigInt(n) } : { value: -n, word: BigInt.asUintN(64, BigInt(-n)) };
    case 'u64': {
      const value = variant === 0 ? 0x1122_3344_5566_7700n + BigInt(n) : 0xf000_0000_0000_0000n + BigInt(n);
      return { value, word: value };
    }
    case 'i64': {
      const value = variant === 0 ? 0xffff_ffffn : -3n;
      return { value, word: BigInt.asUintN(64, value) };
    }
    case 'bool':
      return { value: variant === 0, word: variant === 0 ? 1n : 0n };
    case 'pointer': {
      if (param.to === 'void') return { value: 0x7fff_0000_1000n + BigInt(n), word: 0x7fff_0000_1000n + BigInt(n) };
      const layouts: Readonly<Record<string, { sizeBytes: number } | undefined>> = generation === 'A' ? hsakmtA : hsakmtB;
      const size = param.to === 'struct' ? layouts[param.struct]!.sizeBytes : 64;
      return { value: new Uint8Array(size), word: undefined };
    }
  }
}

describe.each(['A', 'B'] as const)('generation %s', (generation) => {
  const reason = generation === 'A' ? noHeader : noCompiler;

  it.skipIf(reason !== '')(`passes every argument of every function as C takes it${reason && ` (${reason})`}`, () => {
    using folder = temporaryFolder();
    const { library, answer, words } = openRecorder(folder, generation);
    answer(0);
    // Safe: the functions of the table.
    const names = functionsOf(generation) as readonly HsakmtFunctionName[];
    expect(names).toHaveLength(generation === 'A' ? 67 : 88);
    for (const name of names) {
      for (const variant of [0, 1] as const) {
        const samples = HSAKMT_FUNCTIONS[name].params.map((param, index) => sampleOf(param, { index, variant, generation }));
        const args = samples.map(({ value }) => value);
        // Safe: each sample is of its parameter's type.
        expect(library.tryCall(name, args as never), name).toEqual({ status: 0, errno: 0 });
        const seen = words();
        expect(seen, name).toHaveLength(samples.length);
        samples.forEach(({ value, word }, i) => {
          const where = `${name}, argument ${i}, variant ${variant}`;
          if (value instanceof Uint8Array) expect(value[0], where).toBe(0xff);
          else if (word === undefined) expect(BigInt.asUintN(32, seen[i]!), where).toBe(BigInt(value as number));
          else expect(seen[i], where).toBe(word);
        });
      }
    }
  });

  it.skipIf(reason !== '')('keeps status and errno, on the calling thread and on others', async () => {
    using folder = temporaryFolder();
    const { library, answer } = openRecorder(folder, generation);
    answer(1);
    expect(library.tryCall('hsaKmtOpenKFD', [])).toEqual({ status: 1, errno: 28 });
    await expect(library.callAsync('hsaKmtWaitOnEvent', [null, 5])).resolves.toEqual({ status: 1, errno: 28 });
    answer(6);
    expect(() => library.call('hsaKmtReleaseSystemProperties', [], { doing: 'testing' })).toThrow(
      expect.objectContaining({
        code: 'ERR_OUT_OF_MEMORY',
        errno: 28,
        message: containing('hsaKmtReleaseSystemProperties answered HSAKMT_STATUS_NO_MEMORY (6) while testing: ENOSPC (28)'),
        details: having({ status: 6, statusName: 'HSAKMT_STATUS_NO_MEMORY', path: library.path }),
      }),
    );
    // Opening what is open is no failure.
    answer(22);
    library.call('hsaKmtOpenKFD', [], { doing: 'testing' });
  });
});

describe.skipIf(noCompiler !== '')(`arguments that C would take wrongly${noCompiler && ` (${noCompiler})`}`, () => {
  it('are refused before the call', () => {
    using folder = temporaryFolder();
    const { library } = openRecorder(folder, 'B');
    const out = new BigUint64Array(1);
    const refused = (call: () => unknown, message: RegExp) => {
      expect(call).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT', message: matching(message) }));
    };
    refused(() => library.tryCall('hsaKmtAllocMemory', [2 ** 32, 4096n, 0, out]), /PreferredNode .* cannot be 4294967296/);
    refused(() => library.tryCall('hsaKmtAllocMemory', [NaN, 4096n, 0, out]), /cannot be NaN/);
    refused(() => library.tryCall('hsaKmtAllocMemory', [1, -1n, 0, out]), /SizeInBytes .* cannot be -1n/);
    refused(() => library.tryCall('hsaKmtSetXNACKMode', [2 ** 31]), /enable/);
    // @ts-expect-error a number is no address
    refused(() => library.tryCall('hsaKmtDestroyEvent', [1]), /Event \(HsaEvent\*\) cannot be 1/);
    // @ts-expect-error one is missing
    refused(() => library.tryCall('hsaKmtAllocMemory', [1, 4096n, 0]), /takes 4 arguments, not 3/);
  });

  it('are structures of the other generation, too small for what the library writes', () => {
    using folder = temporaryFolder();
    const { library } = openRecorder(folder, 'B');
    expect(() => library.tryCall('hsaKmtGetNodeProperties', [1, hsakmtA.HsaNodeProperties.create()])).toThrow(
      /NodeProperties \(HsaNodeProperties\*\) cannot be 356 bytes/,
    );
    library.tryCall('hsaKmtGetNodeProperties', [1, hsakmtB.HsaNodeProperties.create()]);
  });

  it('say which library lacks a function, and its version', () => {
    using folder = temporaryFolder();
    const path = folder.build('few.so', { functions: ['hsaKmtOpenKFD'] });
    const library = openHsakmtLibrary({ path, generation: 'A', version: '1.0.6' });
    expect(library.has('hsaKmtOpenKFD')).toBe(true);
    expect(library.has('hsaKmtAvailableMemory')).toBe(false);
    expect(() => library.tryCall('hsaKmtAvailableMemory', [1, null])).toThrow(
      expect.objectContaining({
        code: 'ERR_THUNK_SYMBOL',
        message: `${path} (version 1.0.6) has no function hsaKmtAvailableMemory; libraries of generation B have it`,
        details: { path, symbol: 'hsaKmtAvailableMemory', version: '1.0.6', generation: 'A' },
      }),
    );
    // A function that only a needed library has is not its own.
    const own = openHsakmtLibrary({ path, generation: 'A', symbols: new Set() });
    expect(own.has('hsaKmtOpenKFD')).toBe(false);
  });
});

it('says why a library cannot be loaded', () => {
  expect(() => openHsakmtLibrary({ path: '/nowhere/libhsakmt.so.1', generation: 'A' })).toThrow(
    expect.objectContaining({ code: 'ERR_THUNK_NOT_FOUND', message: containing('/nowhere/libhsakmt.so.1') }),
  );
});
