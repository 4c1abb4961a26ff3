// `npm run record -w tools/cgen`: makes the committed fixtures anew with clang-22 and gcc.
import { makeDifferential } from './compile.mjs';
import { CASES, RECORDED, TARGETS, writeFixture } from './fixtures.mjs';

for (const program of RECORDED) {
  for (const target of TARGETS) {
    writeFixture(program.seed, target, makeDifferential({ ...program, cases: CASES, target }));
    console.log(`seed ${program.seed} ${program.level} ${target}`);
  }
}
