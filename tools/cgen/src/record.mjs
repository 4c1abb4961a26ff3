// `npm run record -w tools/cgen`: makes the committed fixtures anew with clang-22 and gcc.
import { makeDifferential } from './compile.mjs';
import { CASES, FUNCTIONS, RECORDED, writeFixture } from './fixtures.mjs';

for (const { seed, level } of RECORDED) {
  writeFixture(seed, makeDifferential({ seed, functions: FUNCTIONS, cases: CASES, target: 'gfx1100', level, size: 'small' }));
  console.log(`seed ${seed} ${level}`);
}
