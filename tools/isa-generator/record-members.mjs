/**
 * Records what llvm-mc says of the members of each family into packages/isa/test/fixtures: one encoding of every mnemonic on which
 * members differ, and a sample of those on which they agree. `node record-members.mjs`
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { readData } from './generate.mjs';
import { FAMILIES, memberCases, waveSizesOf } from './src/members.mjs';

const SEED = 20_260_101;
/** Of the encodings on which all members agree, every so many. */
const SAMPLE = 100;

const lines = FAMILIES.flatMap(({ generation, members }) => {
  const isa = readData(generation);
  return waveSizesOf(generation).flatMap((waveSize) => {
    const seen = new Set();
    const cases = memberCases(isa, { members, waveSize, perEntry: 3, seed: SEED });
    const kept = cases.filter(({ letters, text }, i) => {
      if (!/[^a]/.test(letters)) return i % SAMPLE === 0;
      const key = `${letters} ${text.split(' ')[0]}`;
      return !seen.has(key) && seen.add(key);
    });
    console.log(`${members.join(' ')}, waves of ${waveSize}: ${cases.length} encodings, ${kept.length} kept`);
    return kept.map(({ bytes, letters }) =>
      [members.join(' '), waveSize, Buffer.from(bytes).toString('hex'), letters].join('\t'),
    );
  });
});
const file = new URL('../../packages/isa/test/fixtures/members-llvm-mc-22.tsv.br', import.meta.url);
writeFileSync(file, brotliCompressSync(lines.join('\n')));
console.log(`${fileURLToPath(file)}: ${lines.length} encodings`);
