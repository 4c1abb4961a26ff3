/**
 * Writes packages/isa/src/generated/<generation>.ts from data/<generation>.json.br.
 * `node generate.mjs [generation…]`; without arguments: the generations in GENERATIONS.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { compress } from './src/compress.mjs';
import { correct } from './src/corrections.mjs';
import { generationFacts } from './src/facts.mjs';
import { addGenerics } from './src/generics.mjs';
import { packTable } from './src/pack.mjs';

/** Every generation that data/ describes. */
export const GENERATIONS = ['gfx9', 'gfx90a', 'gfx940', 'gfx950', 'gfx10', 'gfx11', 'gfx12', 'gfx1250'];

/** A description from data/, parsed. */
export function readData(name) {
  return JSON.parse(brotliDecompressSync(readFileSync(new URL(`data/${name}.json.br`, import.meta.url))).toString());
}

/** The text of one generated module. */
export function generateModule(generation) {
  const isa = addGenerics(correct(readData(generation)));
  const { generation: name, processors, ...table } = { ...packTable(isa), facts: generationFacts(isa, readData('formats')) };
  const text = JSON.stringify(table);
  return [
    `// Made by tools/isa-generator from data/${generation}.json.br (${isa.schema}, LLVM 22.1.8). Do not edit.`,
    `import type { CompressedTable } from '../table/packed-table.js';`,
    '',
    `export const ${generation.toUpperCase()}: CompressedTable = {`,
    `  generation: '${name}',`,
    `  processors: '${processors}',`,
    `  length: ${text.length},`,
    `  text() {`,
    `    return '${compress(text)}';`,
    '  },',
    '};',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : GENERATIONS;
  for (const generation of wanted) {
    const file = new URL(`../../packages/isa/src/generated/${generation}.ts`, import.meta.url);
    const text = generateModule(generation);
    writeFileSync(file, text);
    console.log(`${fileURLToPath(file)}: ${text.length} bytes`);
  }
}
