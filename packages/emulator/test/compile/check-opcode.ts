/** Compares one instruction compiled and evaluated on random waves. */
import { GPU_BASE_HIGH, STATE_BYTES } from '../../src/memory-map.js';
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
  snapshot,
} from './harness.js';

/** The first difference, or ''; optimised and baseline code take turns. */
export function checkSample(sample: Sample, waveSize: 32 | 64, runs: number, random: Random): string {
  const { block, instruction } = sample;
  const spaces = new Set(block.effects.map((effect) => ('space' in effect ? effect.space : effect.kind)));
  const isGlobal = spaces.has('global') || spaces.has('flat');
  const isSaddr = block.effects.some(
    (effect) => 'address' in effect && effect.address.base !== undefined && effect.address.offset !== undefined,
  );
  const forms = (['optimised', 'baseline'] as const).map((tier) => new CompiledBlock(block, waveSize, {}, tier));
  for (let run = 0; run < runs; run++) {
    const compiled = forms[run % forms.length]!;
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
    const memory = spaces.size > 0 ? (fillMemory(random), true) : false;
    const [expected, got] = [copyWave(before), copyWave(before)];
    const overlay = compiled.evaluate(expected);
    if ('fault' in overlay) {
      // Outside every window compiled code must trap as well; a page that is not mapped it sees only where the host protects pages.
      const isInWindow = overlay.fault >> 32n === BigInt(GPU_BASE_HIGH) && (overlay.fault & 0xffff_ffffn) >= BigInt(STATE_BYTES);
      if (!isInWindow && !traps(() => compiled.run(got)))
        return `${instruction.mnemonic}: no trap at 0x${overlay.fault.toString(16)}`;
      continue;
    }
    const wanted = memory ? overlaySnapshot(overlay) : undefined;
    compiled.run(got);
    const found = difference(before, expected, got);
    const text = `${instruction.mnemonic} ${instruction.words.map((word) => word.toString(16)).join(' ')}`;
    if (found !== '') return `${text}: ${found}`;
    if (wanted === undefined) continue;
    const after = snapshot();
    const at = after.findIndex((byte, i) => byte !== wanted[i]);
    if (at >= 0) return `${text}: memory byte ${at}: ${after[at]}, evaluator ${wanted[at]}`;
  }
  return '';
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
