import { requireTool } from '@doorbell/test-support';
import { expect, it } from 'vitest';
import { compilerVersion, differences, isRecordedCompiler } from '../build.mjs';

const missing = [requireTool('clang-22'), requireTool('clang-offload-bundler-22')].find(({ available }) => !available)?.reason;
// Another version of clang makes other code.
const reason = missing ?? (isRecordedCompiler() ? '' : `${compilerVersion() ?? ''} is not the recorded compiler`);

it.skipIf(reason !== '')(`committed code objects are what clang-22 makes of their sources${reason && ` (${reason})`}`, () => {
  expect(differences()).toEqual([]);
});
