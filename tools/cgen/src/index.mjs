export { makeDifferential } from './compile.mjs';
export { CASES, FUNCTIONS, readFixture, RECORDED } from './fixtures.mjs';
export { writeProgram } from './program.mjs';
export { makeInputs, WORDS_IN, WORDS_OUT } from './random.mjs';
