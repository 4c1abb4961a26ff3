/** Asks llvm-mc for the text of many encodings at once. */
import { spawnSync } from 'node:child_process';

export const LLVM_MC = 'llvm-mc-22';
/** Between two encodings: `s_nop` with a number that no encoding prints, so that answers find their question. */
const MARK = 's_nop 0x7777';
const MARK_BYTES = '0x77,0x77,0x80,0xbf';

/**
 * What llvm-mc prints for each encoding: its lines joined by `\n`; '' when it rejects the bytes.
 * @param {readonly Uint8Array[]} encodings
 * @param {{ processor: string, waveSize: 32 | 64 }} options
 * @returns {string[]}
 */
export function disassembleWithLlvm(encodings, { processor, waveSize }) {
  const answers = [];
  const batch = 20_000;
  for (let start = 0; start < encodings.length; start += batch) {
    const part = encodings.slice(start, start + batch);
    const input = part.map((bytes) => `${[...bytes].map((byte) => `0x${byte.toString(16)}`).join()}\n${MARK_BYTES}\n`).join('');
    const features = waveSize === 64 ? ['-mattr=+wavefrontsize64'] : [];
    const run = spawnSync(LLVM_MC, ['-disassemble', '-triple=amdgcn', `-mcpu=${processor}`, ...features], {
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    if (run.error) throw run.error;
    const texts = [[]];
    for (const raw of run.stdout.split('\n')) {
      const line = raw.trim();
      if (line === MARK) texts.push([]);
      else if (line !== '' && !line.startsWith('.')) texts.at(-1).push(line);
    }
    if (texts.length !== part.length + 1) throw new Error(`llvm-mc answered ${texts.length - 1} of ${part.length} encodings`);
    answers.push(...texts.slice(0, -1).map((lines) => lines.join('\n')));
  }
  return answers;
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
