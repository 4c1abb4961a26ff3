import { applyLoad, parseCodeObject, parseDeviceFile, planLoad } from '@doorbell/code-object';
import { requireTool } from '@doorbell/test-support';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rewrite, verifyRewrite } from '../../src/index.js';
import { unknownInstructions } from './llvm-checks.js';

/** Debian's librocrand1 and librocsparse0. */
const LIBRARIES = ['librocrand.so.1', 'librocsparse.so.0'].map((name) => `/usr/lib/x86_64-linux-gnu/${name}`);
const COUNT = 500;
/** Every so many accepted code objects are read, and disassembled and assembled again, by LLVM, which takes seconds each. */
const READ = 10;
const ASSEMBLED = 50;
/** Relatives of the processors that the libraries have code for; features of theirs. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  gfx900: ['gfx902', 'gfx906', 'gfx9-generic'],
  gfx906: ['gfx900', 'gfx906:xnack+'],
  gfx908: ['gfx908:xnack+', 'gfx908:sramecc+'],
  gfx90a: ['gfx90a:xnack+', 'gfx90a:xnack-', 'gfx90a:sramecc-'],
  gfx1030: ['gfx1031', 'gfx1036', 'gfx10-3-generic'],
};

const isThere = LIBRARIES.every((path) => existsSync(path));
const hasTools = ['llvm-readelf-22', 'llvm-objdump-22', 'llvm-mc-22'].every((tool) => requireTool(tool).available);

describe.skipIf(!isThere || !hasTools)('code objects of rocRAND and rocSPARSE', () => {
  it(`${COUNT} of them are retargeted with proof, or refused with a reason`, { timeout: 3_600_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-libraries-'));
    const counts: Record<string, number> = { rewritten: 0, unchanged: 0, refused: 0 };
    const reasons = new Map<string, number>();
    const turns = new Map<string, number>();
    let taken = 0;
    try {
      for (const path of LIBRARIES) {
        const { entries } = parseDeviceFile(new Uint8Array(readFileSync(path)));
        for (const { bytes } of entries) {
          if (taken >= COUNT) break;
          const processor = bytes.length === 0 ? '' : parseCodeObject(bytes).target.processor;
          const targets = TARGETS[processor] ?? [];
          // Each processor's targets in turn.
          const turn = turns.get(processor) ?? 0;
          const target = targets[turn % targets.length];
          if (target === undefined) continue;
          turns.set(processor, turn + 1);
          taken++;
          const result = rewrite(bytes, { target });
          counts[result.status] = (counts[result.status] ?? 0) + 1;
          if (result.status === 'refused') {
            const blocking = result.report.findings.filter(({ severity }) => severity !== 'info');
            expect(blocking.length).toBeGreaterThan(0);
            for (const { rule, message } of blocking) {
              const reason = `${processor} → ${target} ${rule}: ${message.slice(0, 80)}`;
              reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
            }
          }
          if (result.status !== 'rewritten') continue;
          expect(verifyRewrite(bytes, result.bytes).problems).toEqual([]);
          const plan = planLoad(parseCodeObject(result.bytes));
          applyLoad(plan, new Uint8Array(plan.imageBytes), 0x4200_0000n);
          const accepted = counts['rewritten'] ?? 0;
          if (accepted % READ !== 1) continue;
          const file = join(folder, 'rewritten.hsaco');
          writeFileSync(file, result.bytes);
          const readelf = spawnSync('llvm-readelf-22', ['--all', file], { encoding: 'utf8', maxBuffer: 1 << 30 });
          expect([readelf.status, readelf.stderr]).toEqual([0, '']);
          if (accepted % ASSEMBLED === 1) expect(unknownInstructions(file, target.replace(/:.*/, ''))).toBe('');
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    console.log(taken, JSON.stringify(counts));
    for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 20)) console.log(`${count} ${reason}`);
    expect(taken).toBe(COUNT);
    expect(counts['rewritten']).toBeGreaterThan(0);
  });
});
