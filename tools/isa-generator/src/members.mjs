/** What llvm-mc says of one encoding for every member of a family: whether it prints it, and whether it takes its text again. */
import { entryCases, immediateCases, pairCases } from './cases.mjs';
import { assembleWithLlvm, disassembleWithLlvm, isAccepted } from './llvm-mc.mjs';

/** Processors that code moves between, each with the table that describes them. */
export const FAMILIES = [
  { generation: 'gfx9', members: ['gfx900', 'gfx902', 'gfx904', 'gfx906', 'gfx909', 'gfx90c', 'gfx9-generic'] },
  { generation: 'gfx940', members: ['gfx942', 'gfx9-4-generic'] },
  { generation: 'gfx10', members: ['gfx1010', 'gfx1011', 'gfx1012', 'gfx1013', 'gfx10-1-generic'] },
  {
    generation: 'gfx10',
    members: ['gfx1030', 'gfx1031', 'gfx1032', 'gfx1033', 'gfx1034', 'gfx1035', 'gfx1036', 'gfx10-3-generic'],
  },
  {
    generation: 'gfx11',
    members: ['gfx1100', 'gfx1101', 'gfx1102', 'gfx1103', 'gfx1150', 'gfx1151', 'gfx1152', 'gfx1153', 'gfx11-generic'],
  },
  { generation: 'gfx12', members: ['gfx1200', 'gfx1201', 'gfx12-generic'] },
  { generation: 'gfx1250', members: ['gfx1250', 'gfx1251'] },
];

/** Wave sizes of a family's processors. */
export function waveSizesOf(generation) {
  if (generation.startsWith('gfx9')) return [64];
  return generation === 'gfx1250' ? [32] : [32, 64];
}

/**
 * Every entry with random operands, for all members. One letter for each: `a` the text can be assembled, `d` it can only be printed,
 * `x` it is another text than the first member's that has one, `-` no instruction. What no member assembles is left out.
 */
export function memberCases(isa, { members, waveSize, perEntry, seed }) {
  const cases = [
    ...entryCases(isa, { perEntry, seed }),
    ...immediateCases(isa, { step: 41 }),
    ...(waveSize === 32 ? pairCases(isa, { perPair: 1, step: 7, seed }) : []),
  ];
  const encodings = cases.map(({ bytes }) => bytes);
  const printed = members.map((processor) => disassembleWithLlvm(encodings, { processor, waveSize }));
  const isText = (text) => isAccepted(text) && !text.includes('\n');
  const found = encodings
    .map((bytes, i) => ({ bytes, texts: printed.map((texts) => texts[i]) }))
    .map((one) => ({ ...one, text: one.texts.find(isText) }))
    .filter(({ text }) => text !== undefined);
  const assembled = members.map((processor) =>
    assembleWithLlvm(
      found.map(({ text }) => text),
      { processor, waveSize },
    ),
  );
  return found
    .map(({ bytes, text, texts }, i) => ({
      bytes,
      waveSize,
      text,
      letters: texts
        .map((own, member) => {
          if (!isText(own)) return '-';
          if (own !== text) return 'x';
          return assembled[member][i] === '' ? 'd' : 'a';
        })
        .join(''),
    }))
    .filter(({ letters }) => letters.includes('a'));
}
