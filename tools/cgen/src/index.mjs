export { makeCodeObject, makeHostResults } from './compile.mjs';
export { CASES, readFixture, RECORDED, TARGETS } from './fixtures.mjs';
export { writeProgram } from './program.mjs';
export { GROUP, makeInputs, WORDS_IN, WORDS_OUT } from './random.mjs';
