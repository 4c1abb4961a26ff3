// `npm run record -w tools/cgen`: makes the committed fixtures anew with clang-22 and gcc.
import { makeCodeObject, makeHostResults } from './compile.mjs';
import { CASES, RECORDED, TARGETS, writeFixture } from './fixtures.mjs';

for (const program of RECORDED) {
  const { expected } = await makeHostResults({ ...program, cases: CASES });
  for (const target of TARGETS) {
    writeFixture(program.seed, target, { codeObject: await makeCodeObject({ ...program, target }), expected });
    console.log(`seed ${program.seed} ${program.level} ${target}`);
  }
}
