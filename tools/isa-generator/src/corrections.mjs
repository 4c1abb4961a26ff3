/** What the descriptions in data/ leave out or have wrong, put right before packing. Each step says why. */

/** Returns a corrected copy of a description. */
export function correct(isa) {
  const implicit = [...isa.impl];
  const operandSets = [...isa.opsets];
  const returning = new Set(
    isa.entries.filter(({ fl }) => isa.flagsets[fl].includes('IsAtomicRet')).map(({ m, f }) => `${f} ${m}`),
  );
  const entries = isa.entries.filter(isWanted).map((entry) => {
    let corrected = entry;
    const [reads, writes] = isa.impl[entry.i];
    // From gfx10 on v_cmpx writes EXEC alone; TableGen gives its DPP8 forms VCC as well.
    if (entry.m.startsWith('v_cmpx_') && isa.family !== 'gfx9' && writes.includes('vcc')) {
      const right = [reads, writes.filter((register) => register !== 'vcc')];
      corrected = { ...corrected, i: indexOf(implicit, right) };
    }
    // An SDWA comparison writes the register that it names, not VCC as well.
    if (entry.x === 'SDWA' && entry.f === 'VOPC' && isa.opsets[entry.o].some(({ n }) => n === 'sdst')) {
      corrected = { ...corrected, i: indexOf(implicit, [reads, writes.filter((register) => register !== 'vcc')]) };
    }
    // Writing back the second level of the cache of gfx90a has bits that nothing reads.
    if (entry.llvm === 'BUFFER_WBL2_gfx90a') corrected = { ...corrected, o: indexOf(operandSets, []) };
    // The record's name says which data and address sizes it stands for; an encoding whose sizes do not exist prints with them.
    const sizes = /_V(\d+)_V(\d+)(?:_nsa)?(?:_gfx\w+|_vi)?$/.exec(entry.llvm);
    if (entry.mimg && sizes) {
      corrected = { ...corrected, mimg: { ...entry.mimg, DataDwords: Number(sizes[1]), AddressDwords: Number(sizes[2]) } };
    }
    // The bit that asks for the old value is the other form's, if there is one, also where that cannot have its operands.
    if (isa.flagsets[entry.fl].includes('IsAtomicNoRet') && returning.has(`${entry.f} ${entry.m}`)) {
      const [bit] = isa.layouts[entry.l].cpol?.find(([, , target]) => target === 0) ?? [];
      if (bit !== undefined) corrected = { ...corrected, mask: withBit(entry.mask, bit) };
    }
    // Interpolation with whole registers is described with halves as well.
    if (entry.t16 === 'fake' && isa.opsets[entry.o].some(isHalf)) {
      const right = isa.opsets[entry.o].map((operand) => (isHalf(operand) ? wholeRegister(operand) : operand));
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    // The sources of f8f6f4 operations have as many registers as their formats need.
    if (entry.m.endsWith('_f8f6f4')) {
      const fields = isa.family === 'gfx9' ? { src0: 'cbsz', src1: 'blgp' } : { src0: 'matrix_a_fmt', src1: 'matrix_b_fmt' };
      const right = isa.opsets[entry.o].map((operand) => {
        // The selects of a scale's byte are described as numbers.
        if (operand.k === 'imm' && operand.n.endsWith('_modifiers')) return { n: operand.n, k: 'mods', t: 'int' };
        const field = fields[operand.n];
        return field === undefined ? operand : { ...operand, w: field };
      });
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    // Ray intersections of gfx12 have no dmask.
    if (entry.f === 'VIMAGE' && entry.mimg?.BVH) {
      const w = entry.m.startsWith('image_bvh_dual') || entry.m.startsWith('image_bvh8') ? 320 : 128;
      const right = isa.opsets[entry.o].map((operand) => (operand.n === 'vdata' ? { ...operand, w } : operand));
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    // The field of a split barrier's number holds any scalar source but a literal.
    if (isa.opsets[entry.o].some(isBarrier)) {
      const right = isa.opsets[entry.o].map((operand) => (isBarrier(operand) ? BARRIER_SOURCE : operand));
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    // NULL as scalar address is the form without one.
    if (isa.opsets[corrected.o]?.some(isScalarAddress) && corrected.f !== 'SCRATCH') {
      const right = isa.opsets[corrected.o].map((operand) =>
        isScalarAddress(operand) ? { ...operand, not: [...(operand.not ?? []), 'null'] } : operand,
      );
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    // Loads into a cluster are global ones.
    if (entry.m.startsWith('cluster_load_')) corrected = { ...corrected, f: 'GLOBAL' };
    // Packed integer operations with three sources have no signs, nor have scales.
    if (/^v_pk_(?:add_(?:max|min)|max3|min3)_[iu]16|^v_mfma_ld_scale/.test(entry.m)) {
      const right = isa.opsets[entry.o].map(({ packed: _packed, ...operand }) => operand);
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    // These sources are integers, which have no signs to change, though some of their forms are described with them.
    const set = isa.opsets[entry.o];
    if (set.some((operand) => isInteger(entry, operand))) {
      const right = set.map((operand) => (isInteger(entry, operand) ? { ...operand, t: 'int' } : operand));
      corrected = { ...corrected, o: indexOf(operandSets, right) };
    }
    return corrected;
  });
  return { ...isa, impl: implicit, opsets: operandSets, entries };
}

const BARRIER_SOURCE = { n: 'src0', k: 'barrier_src', w: 32, inl: 1, t: 'b32' };

function isBarrier({ c }) {
  return c === 'splitbarrier';
}

/** A hexadecimal mask with one more bit. */
function withBit(mask, bit) {
  return (BigInt(`0x${mask}`) | (1n << BigInt(bit))).toString(16);
}

function isHalf({ k, t16 }) {
  return k !== 'mods' && t16 === 1;
}

function wholeRegister({ t16: _half, ...operand }) {
  return { ...operand, w: 32 };
}

function isScalarAddress({ n, not }) {
  return n === 'saddr' && !not?.includes('null');
}

/** The forms of split barriers with M0 are a value of the field that the others have. */
function isWanted({ llvm }) {
  return !/^S_\w*BARRIER\w*_M0_gfx12/.test(llvm);
}

function isInteger({ m, x }, { n, k, t }) {
  if (k !== 'mods' || t !== 'fp') return false;
  if (x === 'DPP16' && (/^v_dot\dc_i32/.test(m) || (m === 'v_ldexp_f16_dpp' && n === 'src1_modifiers'))) return true;
  return (
    m.startsWith('v_sat_pk_') ||
    m.startsWith('v_alignb') ||
    /^v_cvt_f16_(?:fp|bf)8|^v_ashr_pk_/.test(m) ||
    (/^v_cvt_sr_[fb][pf]8_f32/.test(m) && n === 'src1_modifiers') ||
    (/^v_cvt_scalef32_(?:pk_)?(?:f32|f16|bf16)_(?:fp8|bf8|fp4)$/.test(m) && n === 'src0_modifiers') ||
    (/^v_cmpx?_class_f(?:32|64)/.test(m) && n === 'src1_modifiers')
  );
}

function indexOf(list, value) {
  const text = JSON.stringify(value);
  const known = list.findIndex((item) => JSON.stringify(item) === text);
  return known >= 0 ? known : list.push(value) - 1;
}
