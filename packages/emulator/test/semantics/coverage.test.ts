import { readFileSync, writeFileSync } from 'node:fs';
import { createDecoder } from '@doorbell/isa';
import { describe, expect, it } from 'vitest';
import { instructionTable } from '../../../isa/src/table/processors.js';
import { createWaveState, evaluateBlock } from '../../src/evaluate/index.js';
import { buildBlock, decodeMode, generationOf, semanticsOf } from '../../src/semantics/index.js';
import { createRandom } from '../ir/random.js';
import { DeviceMemory } from './support/device-memory.js';
import { computeEntries, encodeRandom, TARGETS } from './support/encodings.js';
import { encodeSmall } from './support/operand-fields.js';

/**
 * Names without a meaning, by reason; one file for each family. DOORBELL_WRITE_DOCS=1 takes out of it what has one now, and adds
 * what has none as `not yet`.
 */
const listOf = (family: string): URL => new URL(`uncovered-${family}.json`, import.meta.url);

describe('coverage', () => {
  const families = new Map(TARGETS.map((target) => [generationOf(target.processor).family, target]));
  it.each([...families.keys()])('%s has a meaning for every instruction but those listed with their reasons', (family) => {
    const targets = TARGETS.filter((target) => generationOf(target.processor).family === family);
    const names = new Set(
      targets.flatMap((target) => {
        const table = instructionTable(target.processor);
        return computeEntries(target).map((entry) => table.name(entry));
      }),
    );
    const semantics = semanticsOf(generationOf(targets[0]!.processor));
    const missing = [...names].filter((name) => !semantics.has(name)).sort();
    // Safe: the file has this shape.
    const listed = JSON.parse(readFileSync(listOf(family), 'utf8')) as Record<string, string[]>;
    if (process.env['DOORBELL_WRITE_DOCS'] === '1') {
      const known = new Set(Object.values(listed).flat());
      listed['not yet'] = [...(listed['not yet'] ?? []), ...missing.filter((name) => !known.has(name))].sort();
      const kept = Object.entries(listed)
        .map(([reason, list]) => [reason, list.filter((name) => missing.includes(name))] as const)
        .filter(([, list]) => list.length > 0);
      writeFileSync(listOf(family), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
      return;
    }
    expect(missing).toEqual(Object.values(listed).flat().sort());
  });

  // Both wave sizes of gfx1100 are as those of gfx1150, which has more instructions.
  it.each(TARGETS.filter(({ processor, waveSize }) => processor !== 'gfx1100' || waveSize === 32))(
    'builds and evaluates random encodings of everything on $processor, wave$waveSize',
    (target) => {
      const { processor, waveSize } = target;
      const table = instructionTable(processor);
      const semantics = semanticsOf(generationOf(processor));
      const entries = computeEntries(target).filter((entry) => semantics.has(table.name(entry)));
      const random = createRandom(waveSize);
      const fields = { bits: random, below: (limit: number): number => random() % limit };
      const decoder = createDecoder(processor, { waveSize });
      const wave = createWaveState(waveSize);
      const memory = new DeviceMemory(4096, 4096, 4096);
      const built = new Set<string>();
      for (const entry of entries) {
        const name = table.name(entry);
        // Every entry of a name that was not built yet; of the others, every fourth.
        if (built.has(name) && random() % 4 !== 0) continue;
        for (let n = 0; n < (built.has(name) ? 1 : 32); n++) {
          const bytes = n % 4 === 3 ? encodeSmall(table, entry, fields) : encodeRandom(table, entry, random, n % 2 === 0);
          const decoded = decoder.decode(bytes, 0);
          if (!decoded.ok) continue;
          const { instruction } = decoded;
          wave.sgprs.forEach((_, index) => (wave.sgprs[index] = random()));
          const block = buildBlock([{ offset: 0, instruction }], {
            waveSize,
            mode: decodeMode((random() & 0x3c0) | 0x30),
            processor,
            codeBase: 0x42_0000_0000n,
          });
          const outcome = evaluateBlock(block, wave, memory);
          if (outcome.kind !== 'illegal') built.add(instruction.name);
          else expect(outcome.reason).toMatch(/: ./);
        }
      }
      const never = new Set(entries.map((entry) => table.name(entry)).filter((name) => !built.has(name)));
      expect([...never].filter((name) => !EXECUTED_NEVER.has(name) && !name.includes('_async_')).sort()).toEqual([]);
    },
  );
});

/** Not executable, or only with field values that random bits hardly hit (asynchronous copies: no offset): tested in instructions.test.ts. */
const EXECUTED_NEVER = new Set([
  // Format fields and register tuples that agree: tested in test/matrix.
  'v_wmma_f32_16x16x128_f8f6f4',
  'v_wmma_scale_f32_16x16x128_f8f6f4',
  'v_wmma_scale16_f32_16x16x128_f8f6f4',
  's_code_end',
  'v_illegal',
  's_sendmsg',
  's_sendmsg_rtn_b32',
  's_sendmsg_rtn_b64',
  's_setreg_b32',
  's_setreg_imm32_b32',
  's_getreg_b32',
  's_barrier_signal',
  's_barrier_signal_isfirst',
  's_barrier_wait',
  's_barrier_init',
  's_barrier_join',
  's_wakeup_barrier',
  's_get_barrier_state',
  's_round_mode',
  's_denorm_mode',
  'v_permlane16_b32',
  'v_permlanex16_b32',
  'v_readlane_b32',
  'v_writelane_b32',
]);
