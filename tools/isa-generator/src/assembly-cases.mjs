/** Texts and the bytes that llvm-mc makes of them: what the assembler's tests compare. */
import { entryCases, immediateCases, pairCases } from './cases.mjs';
import { CRASH, assembleWithLlvm, disassembleCases } from './llvm-mc.mjs';

/**
 * llvm-mc's own text of random encodings of every entry, and its bytes for that text. What it prints but does not read is left out.
 * @param {object} isa description of a generation
 * @param {{ perEntry: number, step?: number, immediateStep: number, seed: number }} options
 * @returns {{ processor: string, waveSize: 32 | 64, text: string, hex: string }[]}
 */
export function assemblyCases(isa, { perEntry, step = 1, immediateStep, seed }) {
  const cases = [
    ...entryCases(isa, { perEntry, step, seed }),
    ...(isa.vopd ? pairCases(isa, { perPair: perEntry, step, seed }) : []),
    ...immediateCases(isa, { step: immediateStep }),
  ];
  const groups = new Map();
  disassembleCases(cases).forEach((text, index) => {
    // Some encodings print as several lines; an empty text is none.
    if (text === '' || text === CRASH || text.includes('\n')) return;
    const { processor, waveSize } = cases[index];
    const key = `${processor}/${waveSize}`;
    if (!groups.has(key)) groups.set(key, { processor, waveSize, texts: new Set() });
    groups.get(key).texts.add(text);
  });
  return [...groups.values()].flatMap(({ processor, waveSize, texts }) => {
    const list = [...texts];
    const answers = assembleWithLlvm(list, { processor, waveSize });
    return list.flatMap((text, i) =>
      answers[i] === '' || answers[i] === CRASH ? [] : [{ processor, waveSize, text, hex: answers[i] }],
    );
  });
}
