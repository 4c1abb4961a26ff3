import { requireTool } from '@doorbell/test-support';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeObjects, compilerVersion, differences, isRecordedCompiler } from '../build.mjs';

const clang = requireTool('clang-22');
const reason = clang.available ? `${compilerVersion() ?? ''} is not the recorded compiler` : clang.reason;

describe('committed code objects', () => {
  it('are all there', () => {
    const root = new URL('../../../', import.meta.url);
    expect(codeObjects().filter(({ output }) => !existsSync(new URL(output, root)))).toEqual([]);
  });

  it.skipIf(!isRecordedCompiler())(
    `are what clang-22 makes of their sources${isRecordedCompiler() ? '' : ` (${reason})`}`,
    () => {
      expect(differences()).toEqual([]);
    },
  );
});
