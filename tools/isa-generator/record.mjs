/**
 * Records llvm-mc's answers for a sample of encodings into packages/isa/test/fixtures, so that the tests need no LLVM.
 * `node record.mjs [generation…]`; without arguments: all.
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { GENERATIONS, readData } from './generate.mjs';
import { entryCases, immediateCases, pairCases } from './src/cases.mjs';
import { disassembleCases } from './src/llvm-mc.mjs';

const SEED = 20_260_101;

const wanted = process.argv.length > 2 ? process.argv.slice(2) : GENERATIONS;
for (const generation of wanted) {
  const isa = readData(generation);
  const cases = [
    ...entryCases(isa, { perEntry: 1, step: 2, seed: SEED }),
    ...pairCases(isa, { perPair: 1, step: 2, seed: SEED }),
    ...immediateCases(isa, { step: 997 }),
  ];
  const texts = disassembleCases(cases);
  const lines = cases.map(({ processor, waveSize, bytes }, i) =>
    [processor, waveSize, Buffer.from(bytes).toString('hex'), texts[i]].join('\t'),
  );
  const file = new URL(`../../packages/isa/test/fixtures/llvm-mc-22-${generation}.tsv.br`, import.meta.url);
  writeFileSync(file, brotliCompressSync(lines.join('\n')));
  console.log(`${fileURLToPath(file)}: ${lines.length} encodings`);
}
