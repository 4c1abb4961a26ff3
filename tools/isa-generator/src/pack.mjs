/** One generation's ISA description as packed columns: the counterpart of packages/isa/src/table/unpack.ts. */

import { packColumn, packWords } from './vlq.mjs';

/** Keys of an entry that the packed table keeps; `llvm`, the name of the TableGen record, is the one it drops. */
export const KEPT_KEYS = [
  'm',
  'f',
  'x',
  'op',
  'sz',
  'mask',
  'val',
  'l',
  'o',
  'i',
  'fl',
  'cpu',
  'w',
  't16',
  'd',
  'req',
  'nsa',
  'mimg',
];
const DROPPED_KEYS = ['llvm'];

/** A list that gives every distinct value one number. */
class Pool {
  #index = new Map();
  values = [];

  add(value) {
    const key = JSON.stringify(value);
    let index = this.#index.get(key);
    if (index === undefined) {
      index = this.values.length;
      this.#index.set(key, index);
      this.values.push(value);
    }
    return index;
  }
}

/** 128-bit hexadecimal number as four 32-bit words, lowest first. */
function words128(hex) {
  const padded = hex.padStart(32, '0');
  return [3, 2, 1, 0].map((i) => Number.parseInt(padded.slice(i * 8, i * 8 + 8), 16));
}

const T16 = { undefined: 0, real: 1, fake: 2 };

/** The first bits of an instruction in which the formats and many opcodes lie: so many high bits of the first word. */
const PREFIX_SHIFT = 23;

/** `[mask, value, count, entries]`: entries that fix the same bits of the prefix to the same values. */
function groupByPrefix(entries) {
  const groups = new Map();
  for (const [index, entry] of entries.entries()) {
    const mask = words128(entry.mask)[0] >>> PREFIX_SHIFT;
    const value = (words128(entry.val)[0] >>> PREFIX_SHIFT) & mask;
    const key = `${mask} ${value}`;
    if (!groups.has(key)) groups.set(key, { mask, value, indices: [] });
    groups.get(key).indices.push(index);
  }
  return [...groups.values()].map(({ mask, value, indices }) => [mask, value, indices.length, packColumn(indices)]);
}

/**
 * Packs a table: columns as strings, and what they refer to.
 * @param {object} isa a parsed `gfx*.json` (schema isa-table/1)
 * @returns {Record<string, unknown>}
 */
export function packTable(isa) {
  if (isa.schema !== 'isa-table/1') throw new Error(`unknown schema ${isa.schema}`);
  const { entries } = isa;
  for (const entry of entries) {
    for (const key of Object.keys(entry)) {
      if (!KEPT_KEYS.includes(key) && !DROPPED_KEYS.includes(key)) throw new Error(`${entry.llvm}: unknown key ${key}`);
    }
  }

  const mnemonics = [...new Set(entries.map((entry) => entry.m))].sort();
  const mnemonicIndex = new Map(mnemonics.map((mnemonic, index) => [mnemonic, index]));
  const formats = new Pool();
  const masks = new Pool();
  const requirements = new Pool();
  const images = new Pool();
  const operands = new Pool();
  const fields = new Pool();

  const optional = (pool, value) => (value === undefined ? 0 : pool.add(value) + 1);
  const column = (get) => packColumn(entries.map(get));
  const words = entries.map((entry) => words128(entry.val));

  const columns = {
    mnemonic: column((e) => mnemonicIndex.get(e.m)),
    format: column((e) => formats.add(e.x === undefined ? e.f : `${e.f}/${e.x}`)),
    opcode: column((e) => e.op),
    size: column((e) => e.sz),
    mask: column((e) => masks.add(words128(e.mask))),
  };
  for (const word of [0, 1, 2, 3]) columns[`value${word}`] = packColumn(words.map((value) => value[word]));
  Object.assign(columns, {
    layout: column((e) => e.l),
    operandSet: column((e) => e.o),
    implicit: column((e) => e.i),
    flags: column((e) => e.fl),
    cpuSet: column((e) => (e.cpu === undefined ? 0 : e.cpu + 1)),
    waveSize: column((e) => e.w ?? 0),
    true16: column((e) => T16[e.t16]),
    priority: column((e) => e.d),
    requirement: column((e) => optional(requirements, e.req)),
    addressDwords: column((e) => e.nsa ?? 0),
    image: column((e) => optional(images, e.mimg)),
  });

  // Layouts and operand sets share their parts: [name, slices] and operand descriptions.
  const layouts = isa.layouts.map((layout) => Object.entries(layout).map(([name, slices]) => fields.add([name, slices])));
  const operandSets = isa.opsets.map((set) => set.map((operand) => operands.add(operand)));

  return {
    generation: isa.group,
    family: isa.family,
    processors: isa.cpus.join(' '),
    entryCount: entries.length,
    mnemonics: packWords(mnemonics),
    ...columns,
    parts: {
      tables: isa.tables,
      cpuSets: isa.cpusets,
      formats: formats.values,
      masks: masks.values,
      requirements: requirements.values,
      images: images.values,
      fields: fields.values,
      layouts,
      operands: operands.values,
      operandSets,
      implicit: isa.impl,
      flagSets: isa.flagsets,
      vopd: isa.vopd,
      groups: groupByPrefix(entries),
    },
  };
}
