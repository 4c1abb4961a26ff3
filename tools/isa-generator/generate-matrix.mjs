/**
 * Writes packages/emulator/src/generated/matrix-layouts.ts from data/matrix-layouts.json.br: where every element of the operands
 * of every matrix instruction lives. `node generate-matrix.mjs`
 *
 * A layout is one line: slot width and registers, index sets, then the places of each coordinate's bits. An instruction is one line
 * of fields, `-` for none.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readData } from './generate.mjs';

/** The targets of the data by the emulator's name of the family; gfx908 has no device. */
const FAMILIES = {
  cdna2: 'gfx90a',
  cdna3: 'gfx940',
  gfx950: 'gfx950',
  rdna3: 'gfx11',
  rdna4: 'gfx12',
  gfx1250: 'gfx1250',
};
const COORDINATES = ['b', 'i', 'j', 'k', 'g'];

function layoutLine(layout) {
  const head = [layout.w, layout.regs];
  if (layout.sets !== undefined) head.push(`${layout.sets}x${layout.setbits}`);
  const bits = COORDINATES.filter((name) => layout[name] !== undefined).map((name) => `${name}:${layout[name]}`);
  return [head.join(' '), ...bits].join('|');
}

function instructionLines(data, used) {
  return data.instructions
    .filter(({ arch }) => FAMILIES[arch] !== undefined)
    .map((instruction) => {
      const waves = Object.entries(instruction.wave).map(([size, operands]) => {
        const numbers = ['A', 'B', 'D', 'X'].filter((name) => operands[name] !== undefined).map((name) => used(operands[name]));
        return `${size}:${numbers.join(',')}`;
      });
      const { name, in: a, in1: b, out, m, n, k, blocks, format = '-', source } = instruction;
      const fields = [
        FAMILIES[instruction.arch],
        name,
        a,
        b,
        out,
        m,
        n,
        k,
        blocks,
        format.replace('fmt ', ''),
        instruction.blgp === true ? 'permutes' : '-',
        source,
        waves.join(';'),
      ];
      return fields.join(' ');
    });
}

/** The text of the generated module. */
export function generateMatrixModule() {
  const data = readData('matrix-layouts');
  const numbers = new Map();
  const used = (layout) => {
    if (!numbers.has(layout)) numbers.set(layout, numbers.size);
    return numbers.get(layout);
  };
  const instructions = instructionLines(data, used);
  const layouts = [...numbers.keys()].map((number) => layoutLine(data.layouts[number]));
  return [
    '// Made by tools/isa-generator/generate-matrix.mjs from data/matrix-layouts.json.br. Do not edit.',
    "// Rows `calculator`: every element compared with AMD's matrix instruction calculator; `derived`: see docs/emulator.md.",
    '',
    '/** Slot width, registers, index sets; then for each coordinate the places of its bits: l lane, r register, e slot, t slot of the tuple. */',
    `export function matrixLayouts(): string {\n  return \`\\\n${layouts.join('\n')}\`;\n}`,
    '',
    '/** Family, name, types of A, B, D, m, n, k, blocks, format codes, whether blgp permutes B, source, layouts of A, B, D, index by wave size. */',
    `export function matrixInstructions(): string {\n  return \`\\\n${instructions.join('\n')}\`;\n}`,
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../../packages/emulator/src/generated/matrix-layouts.ts', import.meta.url);
  const text = generateMatrixModule();
  writeFileSync(file, text);
  console.log(`${fileURLToPath(file)}: ${text.length} bytes`);
}
