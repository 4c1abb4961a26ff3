/** Asks llvm-mc for the text of many encodings at once. */
import { spawnSync } from 'node:child_process';

export const LLVM_MC = 'llvm-mc-22';
/** The answer for bytes on which llvm-mc itself crashes, as it does on some operand numbers that no instruction has. */
export const CRASH = 'llvm-mc crashed';
/** Between two encodings: `s_nop` with a number that no encoding prints, so that answers find their question. */
const MARK = 's_nop 0x7777';
const MARK_BYTES = [0x77, 0x77, 0x80, 0xbf];
const MARK_HEX = '777780bf';
const BATCH = 20_000;
/** Parts into which a batch with a crash in it is cut. */
const PARTS = 8;

/** Whether an answer is an instruction that llvm-mc finds nothing wrong with. */
export function isAccepted(text) {
  return text !== '' && text !== CRASH && !text.includes('/*Invalid ');
}

/** In brackets: what llvm-mc rejects ends with the line. */
function bracketed(bytes) {
  return `[${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join()}]\n`;
}

/**
 * What llvm-mc prints for each encoding: its lines joined by `\n`; '' when it rejects the bytes; {@link CRASH}.
 * @param {readonly Uint8Array[]} encodings
 * @param {{ processor: string, waveSize: 32 | 64 }} options
 * @returns {string[]}
 */
export function disassembleWithLlvm(encodings, { processor, waveSize }) {
  const features = waveSize === 64 ? ['-mattr=+wavefrontsize64'] : [];
  const args = ['-disassemble', '-triple=amdgcn', `-mcpu=${processor}`, ...features];
  const answers = [];
  for (let start = 0; start < encodings.length; start += BATCH) answers.push(...ask(encodings.slice(start, start + BATCH), args));
  return answers;
}

function ask(encodings, args) {
  const input = encodings.map((bytes) => bracketed(bytes) + bracketed(MARK_BYTES)).join('');
  const run = spawnSync(LLVM_MC, args, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (run.error && run.signal === null) throw run.error;
  if (run.signal !== null) {
    // What was printed before the crash may be lost: ask again in smaller parts.
    if (encodings.length === 1) return [CRASH];
    const size = Math.ceil(encodings.length / PARTS);
    const answers = [];
    for (let start = 0; start < encodings.length; start += size) answers.push(...ask(encodings.slice(start, start + size), args));
    return answers;
  }
  const texts = [[]];
  for (const raw of run.stdout.split('\n')) {
    const line = raw.trim();
    if (line === MARK) texts.push([]);
    else if (line !== '' && !line.startsWith('.')) texts.at(-1).push(line);
  }
  if (texts.length !== encodings.length + 1) {
    throw new Error(`llvm-mc answered ${texts.length - 1} of ${encodings.length} encodings`);
  }
  return texts.slice(0, -1).map((lines) => lines.join('\n'));
}

/**
 * {@link disassembleWithLlvm} for cases of several targets, in their order.
 * @param {readonly { processor: string, waveSize: 32 | 64, bytes: Uint8Array }[]} cases
 * @returns {string[]}
 */
export function disassembleCases(cases) {
  const texts = new Array(cases.length).fill('');
  const groups = new Map();
  cases.forEach(({ processor, waveSize }, index) => {
    const key = `${processor}/${waveSize}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(index);
  });
  for (const indices of groups.values()) {
    const { processor, waveSize } = cases[indices[0]];
    const answers = disassembleWithLlvm(
      indices.map((index) => cases[index].bytes),
      { processor, waveSize },
    );
    indices.forEach((index, i) => (texts[index] = answers[i]));
  }
  return texts;
}

/** A line of what llvm-mc says about its input. */
const DIAGNOSTIC = /^<stdin>:(\d+):(\d+): error: (.*)$/gm;
const ENCODING = /encoding: \[([^\]]*)\]/g;

/**
 * The bytes that llvm-mc makes of each text, as hexadecimal digits; '' when it rejects the text; {@link CRASH}. Bytes with a fixup
 * have letters: llvm-mc writes `A` for them.
 * @param {readonly string[]} texts
 * @param {{ processor: string, waveSize: 32 | 64 }} options
 * @returns {string[]}
 */
export function assembleWithLlvm(texts, { processor, waveSize }) {
  const features = waveSize === 64 ? ['-mattr=+wavefrontsize64'] : [];
  const args = ['-show-encoding', '-triple=amdgcn', `-mcpu=${processor}`, ...features];
  const answers = [];
  for (let start = 0; start < texts.length; start += BATCH)
    answers.push(...askEncodings(texts.slice(start, start + BATCH), args));
  return answers;
}

function askEncodings(texts, args) {
  const run = spawnSync(LLVM_MC, args, {
    input: texts.map((text) => `${text}\n${MARK}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (run.error && run.signal === null) throw run.error;
  if (run.signal !== null) {
    if (texts.length === 1) return [CRASH];
    const size = Math.ceil(texts.length / PARTS);
    const answers = [];
    for (let start = 0; start < texts.length; start += size)
      answers.push(...askEncodings(texts.slice(start, start + size), args));
    return answers;
  }
  // A line can have both: an error found while encoding, and bytes.
  const rejected = new Set([...run.stderr.matchAll(DIAGNOSTIC)].map(([, line]) => (Number(line) - 1) / 2));
  const encodings = [...run.stdout.matchAll(ENCODING)].map(([, list]) => list.replaceAll('0x', '').replaceAll(',', ''));
  const answers = [];
  let answer = '';
  for (const encoding of encodings) {
    if (encoding !== MARK_HEX) answer += encoding;
    else {
      answers.push(rejected.has(answers.length) ? '' : answer);
      answer = '';
    }
  }
  if (answers.length !== texts.length) throw new Error(`llvm-mc answered ${answers.length} of ${texts.length} texts`);
  return answers;
}
