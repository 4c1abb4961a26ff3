/** Compares matrix instructions compiled and evaluated on random registers. */
import type { Random } from '../compile/harness.js';
import { CompiledBlock, copyWave, difference, randomWave } from '../compile/harness.js';
import { buildText, caseText, FIRST, MATRIX_VGPRS, type MatrixCase } from './matrix-case.js';

/** Random fields that the instruction has. */
function modifiers({ name, row, processor, fields }: MatrixCase, random: Random): string {
  const chance = (text: string): string => (random.below(2) === 0 ? text : '');
  if (name.startsWith('v_mfma')) {
    if (fields !== '' || row.in === 'fp64') return '';
    const broadcast = row.cbsz_abid === true ? chance(` cbsz:1 abid:${random.below(2)}`) : '';
    return broadcast + (row.blgp === true ? ` blgp:${random.below(8)}` : '');
  }
  if (name.startsWith('v_smfmac')) return ` cbsz:${random.below(2)} abid:${random.below(row.in.includes('8') ? 2 : 4)}`;
  if (/_iu[48]$/.test(name)) return ` neg_lo:[${random.below(2)},${random.below(2)},0]${chance(' clamp')}`;
  const isHalf = processor === 'gfx1100' && /_wmma_b?f16_/.test(name);
  return isHalf ? chance(' op_sel:[0,0,1]') : '';
}

/** The instruction with random fields; where it has a scaled form, that one every other time. */
function randomText(item: MatrixCase, random: Random): string {
  if (item.fields === '' || random.below(2) === 0) return caseText(item, modifiers(item, random));
  const isGfx950 = item.processor === 'gfx950';
  const isWide = !isGfx950 && random.below(2) === 0;
  const name = item.name.replace('_f32', isWide ? '_scale16_f32' : '_scale_f32');
  const operand = (first: number): string => (isWide ? `v[${first}:${first + 1}]` : `v${first}`);
  const formats = ['', ' matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3', ' matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3'];
  const fields = isGfx950 ? ` op_sel:[${random.below(2)},1,0] op_sel_hi:[1,${random.below(2)},0]` : formats[random.below(3)]!;
  return caseText({ ...item, name }, fields, `, ${operand(FIRST.scaleA)}, ${operand(FIRST.scaleB)}`);
}

/** The first difference in `sets` sets of random registers, all bit patterns among them; or ''. */
export function firstDifference(item: MatrixCase, random: Random, sets: number): string {
  const text = randomText(item, random);
  const tier = random.below(4) === 0 ? 'baseline' : 'optimised';
  const compiled = new CompiledBlock(buildText(item.processor, item.waveSize, text), item.waveSize, {}, tier, MATRIX_VGPRS);
  for (let set = 0; set < sets; set++) {
    // Every other set has numbers of like size only, so that sums do not all end in NaN.
    const fill = set % 2 === 0 ? (): number => random.bits() : (): number => random.word() & 0xbfff_bfff;
    const before = randomWave(item.waveSize, random, fill, MATRIX_VGPRS);
    const [expected, got] = [copyWave(before), copyWave(before)];
    compiled.evaluate(expected);
    compiled.run(got);
    const found = difference(before, expected, got);
    if (found !== '') return `${item.processor} wave${item.waveSize} ${text}: ${found}`;
  }
  return '';
}
