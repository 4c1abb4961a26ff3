/** What the descriptions in data/ leave out or have wrong, put right before packing. Each step says why. */

/** Returns a corrected copy of a description. */
export function correct(isa) {
  const implicit = [...isa.impl];
  const operandSets = [...isa.opsets];
  const entries = isa.entries.map((entry) => {
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
    // The record's name says which data and address sizes it stands for; an encoding whose sizes do not exist prints with them.
    const sizes = /_V(\d+)_V(\d+)(?:_nsa)?_gfx\d+$/.exec(entry.llvm);
    if (entry.mimg && sizes) {
      corrected = { ...corrected, mimg: { ...entry.mimg, DataDwords: Number(sizes[1]), AddressDwords: Number(sizes[2]) } };
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

function isInteger({ m }, { n, k, t }) {
  if (k !== 'mods' || t !== 'fp') return false;
  return m.startsWith('v_sat_pk_') || m.startsWith('v_alignb') || (/^v_cmpx?_class_f(?:32|64)/.test(m) && n === 'src1_modifiers');
}

function indexOf(list, value) {
  const text = JSON.stringify(value);
  const known = list.findIndex((item) => JSON.stringify(item) === text);
  return known >= 0 ? known : list.push(value) - 1;
}
