/** Compares one instruction compiled and evaluated on random waves. */
import { GPU_BASE_HIGH, STATE_BYTES } from '../../src/memory-map.js';
import { encodeMode } from '../../src/semantics/mode-register.js';
import { addressRegister, type Sample } from './opcodes.js';
import type { Random } from './harness.js';
import {
  BUFFER,
  CompiledBlock,
  copyWave,
  difference,
  fillMemory,
  LDS_BYTES,
  overlaySnapshot,
  randomWave,
  restore,
  snapshot,
} from './harness.js';

/** The first difference of optimised or baseline code from the evaluator, or ''. */
export function checkSample(sample: Sample, waveSize: 32 | 64, runs: number, random: Random): string {
  const { block, instruction, mode } = sample;
  const spaces = new Set(block.effects.map((effect) => ('space' in effect ? effect.space : effect.kind)));
  const isGlobal = spaces.has('global') || spaces.has('flat');
  const isSaddr = block.effects.some(
    (effect) => 'address' in effect && effect.address.base !== undefined && effect.address.offset !== undefined,
  );
  const forms = (['optimised', 'baseline'] as const).map((tier) => new CompiledBlock(block, waveSize, {}, tier));
  const evaluator = forms[0]!;
  const words = instruction.words.map((word) => word.toString(16)).join(' ');
  const text = `${instruction.mnemonic} ${words} MODE 0x${encodeMode(mode).toString(16)}`;
  for (let run = 0; run < runs; run++) {
    const before = randomWave(waveSize, random, (index) => {
      const vgpr = Math.floor(index / waveSize);
      if (spaces.has('lds') && vgpr === 0)
        return random.below(8) === 0 ? random.word() : random.word() % LDS_BYTES & (random.below(4) === 0 ? ~0 : ~7);
      if (!isGlobal) return random.bits();
      if (isSaddr && (vgpr === 0 || vgpr === 2)) return random.word() % 4096 & ~7;
      return addressRegister(index, waveSize, random);
    });
    for (const base of [16, 18, 20, 22]) {
      before.sgprs[base] = base === 20 ? random.below(64) * 4 : BUFFER + 1024;
      before.sgprs[base + 1] = GPU_BASE_HIGH;
    }
    if (spaces.has('lds')) before.sgprs[125] = 0;
    if (spaces.size > 0) fillMemory(random);
    const expected = copyWave(before);
    const overlay = evaluator.evaluate(expected);
    if ('fault' in overlay) {
      // Outside every window compiled code must trap as well; a page that is not mapped it sees only where the host protects pages.
      const isInWindow = overlay.fault >> 32n === BigInt(GPU_BASE_HIGH) && (overlay.fault & 0xffff_ffffn) >= BigInt(STATE_BYTES);
      if (!isInWindow && !forms.every((compiled) => traps(() => compiled.run(copyWave(before)))))
        return `${text}: no trap at 0x${overlay.fault.toString(16)}`;
      continue;
    }
    const [start, wanted] = spaces.size > 0 ? [snapshot(), overlaySnapshot(overlay)] : [];
    for (const compiled of forms) {
      const got = copyWave(before);
      if (start !== undefined) restore(start);
      compiled.run(got);
      const tier = compiled === evaluator ? 'optimised' : 'baseline';
      const found = difference(before, expected, got) || (wanted === undefined ? '' : memoryDifference(wanted));
      if (found !== '') return `${text}, ${tier}: ${found}`;
    }
  }
  return '';
}

function memoryDifference(wanted: Uint8Array): string {
  const after = snapshot();
  if (Buffer.compare(after, wanted) === 0) return '';
  const at = after.findIndex((byte, i) => byte !== wanted[i]);
  return `memory byte ${at}: ${after[at]}, evaluator ${wanted[at]}`;
}

function traps(run: () => void): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return true;
    throw error;
  }
}
