/** What a generation's decoder and disassembler know beside the entries: register numbers, message names, counters. */

/** `gfx90c`, `gfx1250-strict`; `gfx10-3-generic` has the version of its members. */
const VERSION = (cpu) => {
  const generic = /^gfx(\d+)(?:-(\d))?-generic$/.exec(cpu);
  if (generic) return { major: Number(generic[1]), minor: Number(generic[2] ?? 0) };
  const digits = cpu.slice(3).replace('-strict', '');
  return { major: Number(digits.slice(0, -2)), minor: Number.parseInt(digits.at(-2), 16) };
};

/** The subtarget predicates that formats.json names, for one processor. */
const PREDICATES = {
  all: () => true,
  isGFX9Plus: ({ major }) => major >= 9,
  isGFX8_GFX9_GFX10: ({ major }) => major >= 8 && major <= 10,
  isGFX9_GFX10: ({ major }) => major === 9 || major === 10,
  isGFX9_GFX10_GFX11: ({ major }) => major >= 9 && major <= 11,
  isGFX940: ({ major, minor }) => major === 9 && (minor === 4 || minor === 5),
  isGFX10: ({ major }) => major === 10,
  isGFX10Before1030: ({ major, minor }) => major === 10 && minor < 3,
  isGFX10Plus: ({ major }) => major >= 10,
  isNotGFX10Plus: ({ major }) => major < 10,
  isGFX10_GFX11: ({ major }) => major === 10 || major === 11,
  isGFX10_3_GFX11: ({ major, minor }) => (major === 10 && minor >= 3) || major === 11,
  isGFX11: ({ major }) => major === 11,
  isGFX11Plus: ({ major }) => major >= 11,
  isNotGFX11Plus: ({ major }) => major < 11,
  isGFX12Plus: ({ major }) => major >= 12,
  isNotGFX12Plus: ({ major }) => major < 12,
  isGFX1250: ({ major, minor }) => major === 12 && minor >= 5,
};

/** Rows `[name, id, condition]` → `[id, name]`, or `[id, name, processors]` where only some have it; first row of an id wins. */
function named(rows, cpus) {
  const result = [];
  for (const [name, id, condition] of rows) {
    const predicate = PREDICATES[condition];
    if (!predicate) throw new Error(`unknown condition ${condition}`);
    const having = cpus.filter((cpu) => predicate(VERSION(cpu)));
    if (having.length === cpus.length) result.push([id, name]);
    else if (having.length > 0) result.push([id, name, having]);
  }
  return result;
}

const CODE = /^\d+$/;
const RANGE = /^(\d+)\.\.(\d+)$/;

/** Operand numbers: how many SGPRs, and the name of each register outside the files. */
function sourceFacts(sources, family) {
  // Reserved on gfx9, where llvm-mc takes it for what it is on gfx10.
  const specials = family === 'gfx9' ? { 125: 'null' } : {};
  let sgprs = 0;
  for (const [key, text] of Object.entries(sources)) {
    const range = RANGE.exec(key);
    if (range) {
      if (text.startsWith('s0..')) sgprs = Number(range[2]) + 1;
    } else if (CODE.test(key) && /^[a-z][a-z0-9_]*( \(src_lds_direct\))?$/.test(text) && text !== 'reserved') {
      specials[key] = text.replace(/ .*/, '').replace(/^lds_direct$/, 'src_lds_direct');
    }
  }
  return { sgprs, specials };
}

/** Where the pair formats keep their two opcodes, and the bits that tell them from other encodings. */
function pairFormats(formats) {
  const pairs = {};
  for (const name of ['VOPD', 'VOPD3']) {
    const format = formats[name];
    if (!format) continue;
    const field = ([first, last]) => [first, last - first + 1];
    pairs[name] = {
      mask: Number.parseInt(format.fixedMask, 16),
      value: Number.parseInt(format.fixedValue, 16),
      opX: field(format.op.opX),
      opY: field(format.op.opY),
    };
  }
  return pairs;
}

/** The facts of one generation, ready for JSON. */
export function generationFacts(isa, formats) {
  const { group, cpus } = isa;
  const sources = formats.sources[group];
  const waits = formats.waitcnt[group];
  if (!sources || !waits) throw new Error(`formats.json knows nothing of ${group}`);
  return {
    ...sourceFacts(sources, isa.family),
    hasLiteral64: isa.family === 'gfx1250',
    hasEvenTuples: ['gfx90a', 'gfx940', 'gfx950', 'gfx1250'].includes(group),
    pairs: pairFormats(formats.formats[group] ?? {}),
    // gfx12 has s_waitcnt as gfx11 has it, beside a counter's own instructions.
    waitCounters: waits.s_waitcnt ?? formats.waitcnt.gfx11.s_waitcnt,
    hwRegisters: named(formats.hwreg.ids, cpus),
    messages: named(formats.sendmsg.ids, cpus),
    bufferFormats: isa.family === 'gfx9' ? [] : isa.family === 'gfx10' ? formats.mtbuf.ufmt_gfx10 : formats.mtbuf.ufmt_gfx11,
  };
}
