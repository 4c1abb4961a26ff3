/** Generic processors and other names that stand for the processors of a description (LLVM AMDGPUUsage, "Generic processor"). */

/** By description: the name, the processors whose common instructions it has, and the mnemonics that it leaves out beside. */
const GENERICS = {
  gfx9: [{ name: 'gfx9-generic', members: ['gfx900', 'gfx902', 'gfx904', 'gfx906', 'gfx909', 'gfx90c'] }],
  // gfx950, the other member, has no XF32; FP8 and BF8 are left out since their formats differ in later members.
  gfx940: [{ name: 'gfx9-4-generic', members: ['gfx942'], without: /fp8|bf8|xf32/ }],
  gfx10: [
    { name: 'gfx10-1-generic', members: ['gfx1010', 'gfx1011', 'gfx1012', 'gfx1013'] },
    { name: 'gfx10-3-generic', members: ['gfx1030', 'gfx1031', 'gfx1032', 'gfx1033', 'gfx1034', 'gfx1035', 'gfx1036'] },
  ],
  gfx11: [
    {
      name: 'gfx11-generic',
      members: ['gfx1100', 'gfx1101', 'gfx1102', 'gfx1103', 'gfx1150', 'gfx1151', 'gfx1152', 'gfx1153'],
    },
  ],
  gfx12: [{ name: 'gfx12-generic', members: ['gfx1200', 'gfx1201'] }],
  gfx1250: [
    { name: 'gfx12-5-generic', members: ['gfx1250', 'gfx1251'] },
    { name: 'gfx1250-strict', members: ['gfx1250'] },
  ],
};

/** Returns a copy of a description whose processors include the names above, with the entries that they have. */
export function addGenerics(isa) {
  const generics = GENERICS[isa.group] ?? [];
  const cpus = [...isa.cpus, ...generics.map(({ name }) => name)];
  const cpusets = [];
  const entries = isa.entries.map((entry) => {
    const having = entry.cpu === undefined ? isa.cpus : isa.cpusets[entry.cpu];
    const names = generics.filter(
      ({ members, without }) => members.every((cpu) => having.includes(cpu)) && !without?.test(entry.m),
    );
    const { cpu: _cpu, ...rest } = entry;
    const all = [...having, ...names.map(({ name }) => name)];
    return all.length === cpus.length ? rest : { ...rest, cpu: indexOf(cpusets, all) };
  });
  return { ...isa, cpus, cpusets, entries };
}

function indexOf(sets, names) {
  const text = names.join();
  const known = sets.findIndex((set) => set.join() === text);
  return known >= 0 ? known : sets.push(names) - 1;
}
