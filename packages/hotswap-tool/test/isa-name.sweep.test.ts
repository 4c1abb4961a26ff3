import { PROCESSORS } from '@doorbell/abi';
import { skipReason } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readIdentity } from '../src/index.js';

const missing = skipReason('clang-22', 'ld.lld-22');
const folder = mkdtempSync(join(tmpdir(), 'doorbell-isa-name-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** LLVM 22 has dropped them. */
const DROPPED: readonly string[] = ['gfx940', 'gfx941'];
/** LLVM's kernels for the HSA runtime begin with gfx7. */
const known = PROCESSORS.filter(({ name, isProvisional }) => !isProvisional && !DROPPED.includes(name) && !/^gfx6/.test(name));

describe.skipIf(missing !== '')(`codeObjectIsaName${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
  const source = join(folder, 'in.cl');
  writeFileSync(source, 'kernel void k(void) {}');

  it.each(known.map((processor) => [processor.name, processor] as const))(
    'gives the name that LLVM writes into the metadata for %s with each setting of its features',
    (name, { features, isGeneric }) => {
      const settings = features.reduce<readonly string[]>(
        (all, feature) => all.flatMap((text) => [text, `${text}:${feature}-`, `${text}:${feature}+`]),
        [name],
      );
      for (const target of settings) {
        for (const version of [isGeneric ? 6 : 5]) {
          const out = join(folder, 'out');
          const machine = ['-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, `-mcode-object-version=${version}`, '-nogpulib'];
          execFileSync('clang-22', ['-x', 'cl', '-w', ...machine, source, '-o', out]);
          const identity = readIdentity(new Uint8Array(readFileSync(out)));
          expect(identity.mismatch).toBeUndefined();
          expect(identity).toMatchObject({ version, isaName: identity.metadataTarget, kind: 'executable' });
          expect(identity.isaName).toBe(`amdgcn-amd-amdhsa--${target}`);
        }
      }
    },
    600_000,
  );
});
