/** Random encodings of table entries, made from the ISA description alone: what the decoder's tests compare with llvm-mc. */

/** A small seeded generator (mulberry32): the same encodings on every run. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SCALARS = ['ssrc', 'sgpr', 'sbool', 'sgpr_or_lds'];
/** Literals that an inline constant could express: f32, f16, bf16, high dword of f64. */
const FLOAT_PATTERNS = [
  0x3f000000, 0xbf800000, 0x40000000, 0xc0800000, 0x3e22f983, 0x3800, 0xbc00, 0x4400, 0x3118, 0x3f00, 0xbf80, 0x4080, 0x3e22,
  0x3fe00000, 0xbff00000, 0x40100000, 0x3fc45f30,
];
const LARGEST_TUPLE = 16;
const IMAGES = ['MIMG', 'VIMAGE', 'VSAMPLE'];
/** Offsets into buffers of gfx12 have a sign bit that must be 0. */
const BUFFERS = /^(?:t?buffer_|s_buffer_|s_atc_probe_buffer)/;
const ESCAPE_LITERAL = 255;
const ESCAPE_LITERAL64 = 254;
const EXTENDED = ['DPP16', 'DPP8', 'SDWA'];

/**
 * The bytes of one random encoding of an entry.
 * @param {object} isa description of a generation
 * @param {number} index of the entry
 * @param {() => number} random numbers in [0, 1)
 * @returns {Uint8Array}
 */
export function synthesize(isa, index, random) {
  const entry = isa.entries[index];
  const layout = isa.layouts[entry.l];
  const context = { isa, entry, int: (below) => Math.floor(random() * below), escape: 0 };
  const words = toWords(BigInt(`0x${entry.val}`), 5);
  const operands = new Map(isa.opsets[entry.o].map((operand) => [operand.n, operand]));
  const required = new Set((entry.req ?? []).map(([bit]) => bit));
  for (const [name, slices] of Object.entries(layout)) {
    if (slices.some(([bit]) => required.has(bit))) continue;
    const bits = Math.max(...slices.map(([, width, target]) => width + target));
    const value = randomValue(context, operands.get(name) ?? { n: name, k: 'imm' }, bits);
    for (const [bit, width, target] of slices) insert(words, bit, width, Math.floor(value / 2 ** target) % 2 ** width);
  }
  for (const [bit, width, allowed] of entry.req ?? []) insert(words, bit, width, allowed[context.int(allowed.length)]);
  let size = entry.sz / 4;
  if (context.escape !== 0 && !entry.x?.startsWith('LIT')) words[size++] = literal(context);
  if (context.escape === ESCAPE_LITERAL64) words[size++] = literal(context);
  return toBytes(words.slice(0, size));
}

/** Fixed bits and opcode places of the pair formats. */
const PAIR_FORMATS = {
  VOPD: { value: 0xc8000000, opX: [22, 4], opY: [17, 5] },
  VOPD3: { value: 0xcf000000, opX: [18, 6], opY: [12, 6] },
};

/** The bytes of one random pair of a format; x and y are positions in the table's lists. */
export function synthesizePair(isa, format, x, y, random) {
  const { X, Y, layout } = isa.vopd[format];
  const { value, opX, opY } = PAIR_FORMATS[format];
  const context = { isa, entry: { f: format }, int: (below) => Math.floor(random() * below), escape: 0 };
  const words = [value, 0, 0];
  insert(words, ...opX, X[x][0]);
  insert(words, ...opY, Y[y][0]);
  for (const operand of [...X[x][2], ...Y[y][2]]) {
    const slices = layout['12'][operand.n];
    if (!slices) continue;
    const [[bit, width, target]] = slices;
    insert(words, bit, width, Math.floor(randomValue(context, operand, width + target) / 2 ** target));
  }
  const hasLiteral = context.escape !== 0 || /fma[am]k/.test(X[x][1] + Y[y][1]);
  if (hasLiteral) words[2] = literal(context);
  if (Y[y][1].includes('bitop2')) insert(words, 80, 8, context.int(256));
  return toBytes(words.slice(0, hasLiteral || format === 'VOPD3' ? 3 : 2));
}

function toWords(value, count) {
  return Array.from({ length: count }, (_, i) => Number((value >> BigInt(i * 32)) & 0xffffffffn));
}

function toBytes(words) {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  words.forEach((word, i) => view.setUint32(i * 4, word >>> 0, true));
  return bytes;
}

function insert(words, bit, width, value) {
  const shift = bit % 32;
  const word = Math.floor(bit / 32);
  const mask = width === 32 ? 0xffffffff : (2 ** width - 1) * 2 ** shift;
  words[word] = ((words[word] & ~mask) | ((value * 2 ** shift) & mask)) >>> 0;
}

function literal({ int }) {
  return [int(80), 2 ** 32 - 1 - int(32), int(2 ** 32), int(2 ** 16), FLOAT_PATTERNS[int(FLOAT_PATTERNS.length)]][int(5)];
}

/** Generations whose VGPR tuples begin at even registers. */
const ALIGNED = new Set(['gfx90a', 'gfx940', 'gfx950', 'gfx1250']);

function randomValue(context, operand, bits) {
  const { int, entry, isa } = context;
  if (operand.c === 'splitbarrier') return int(2) === 0 ? inline(int) : [int(106), 108 + int(16), 125][int(3)];
  if (operand.n === 'offset' && bits === 24 && BUFFERS.test(entry.m)) return randomImmediate(context, operand, bits - 1);
  if (operand.k === 'imm' || operand.k === 'lit' || operand.k === 'mods') return randomImmediate(context, operand, bits);
  const registers =
    typeof operand.w === 'number' ? Math.ceil(operand.w / 32) : operand.w === 'wave' && isa.family === 'gfx9' ? 2 : 1;
  const vgpr = () => {
    // Image tuples have as many registers as other fields say.
    if (IMAGES.includes(entry.f)) return int(257 - LARGEST_TUPLE) & (ALIGNED.has(isa.group) ? ~1 : ~0);
    if (operand.lo128) return operand.t16 ? int(256) : int(128);
    // Tuples begin at an even register.
    if (ALIGNED.has(isa.group) && registers > 1) return 2 * int(Math.floor((256 - registers) / 2) + 1);
    return int(257 - registers);
  };
  switch (operand.k) {
    case 'vgpr':
      return vgpr();
    case 'vgpr9':
    case 'vgpr_or_lds':
      return 256 + vgpr();
    case 'av':
      return vgpr() + accumulator(context);
    case 'av10':
      return 256 + vgpr() + accumulator(context);
    case 'agpr':
      return vgpr();
    case 'agpr9':
      return 256 + vgpr();
    case 'agpr_inl':
      return int(3) === 0 ? inline(int) : 256 + vgpr();
    case 'sdwa_src':
      return int(2) === 0 ? vgpr() : 256 + randomScalar(context, operand, registers, bits);
    case 'sdwa_vopc_dst':
      return int(2) === 0 ? 0 : 128 + randomScalar(context, { ...operand, k: 'sgpr' }, 2, bits);
    case 'vgpr_inl':
      return int(3) === 0 ? inline(int) : 256 + vgpr();
    default:
      if (!SCALARS.includes(operand.k) && int(2) === 0) return 256 + vgpr();
      return randomScalar(context, operand, registers, bits);
  }
}

function randomScalar(context, operand, registers, bits) {
  const { int, isa } = context;
  const takesConstant = operand.inl === 1 && bits >= 8;
  const choice = int(10);
  if (takesConstant && choice < 3) return inline(int);
  if (operand.lit === 1 && bits >= 8 && choice === 3 && takesLiteral(context)) {
    const isWide =
      isa.family === 'gfx1250' &&
      registers === 2 &&
      !context.entry.f.startsWith('VOP3') &&
      context.entry.x !== 'LIT64' &&
      int(2) === 0;
    // Two operands share one literal.
    if (context.escape === 0) context.escape = isWide ? ESCAPE_LITERAL64 : ESCAPE_LITERAL;
    if (context.escape === ESCAPE_LITERAL || registers === 2) return context.escape;
  }
  if (choice === 4) {
    const codes = specialScalars(isa, operand, registers).filter((code) => code < 2 ** bits);
    if (codes.length > 0) return codes[int(codes.length)];
  }
  if (choice === 5) return 108 + (registers === 1 ? int(16) : int(Math.floor((17 - registers) / 4) + 1) * 4);
  const step = registers === 1 ? 1 : registers === 2 ? 2 : 4;
  const sgprs = isa.family === 'gfx9' && registers < 4 ? 102 : 106;
  return int(Math.floor((sgprs - registers) / step) + 1) * step;
}

/** Numbers of registers outside the files: single ones, low halves of pairs, and sources that no instruction writes. */
const SPECIALS = {
  gfx9: { single: [102, 103, 104, 105, 106, 107, 124, 126, 127], pair: [102, 104, 106, 126], null: undefined, m0: 124 },
  gfx10: { single: [106, 107, 124, 126, 127], pair: [106, 126], null: 125, m0: 124 },
  gfx11: { single: [106, 107, 125, 126, 127], pair: [106, 126], null: 124, m0: 125 },
};
const SPECIAL_SOURCES = [235, 236, 237, 238, 251, 252, 253];
const SPECIAL_NAMES = {
  102: 'flat_scratch',
  103: 'flat_scratch',
  104: 'xnack_mask',
  105: 'xnack_mask',
  106: 'vcc',
  107: 'vcc',
  126: 'exec',
  127: 'exec',
};

function specialScalars(isa, operand, registers) {
  const known = SPECIALS[isa.family] ?? SPECIALS.gfx11;
  const codes = registers === 1 ? [...known.single] : registers === 2 ? [...known.pair] : [];
  if (known.null !== undefined && operand.n !== 'saddr') codes.push(known.null);
  if (operand.inl === 1 && registers <= 2) codes.push(...SPECIAL_SOURCES);
  const name = (code) => SPECIAL_NAMES[code] ?? (code === known.m0 ? 'm0' : code === known.null ? 'null' : '');
  return codes.filter((code) => !operand.not?.includes(name(code)));
}

/** gfx9 takes no literal in the long encodings; llvm-mc crashes on them. */
function takesLiteral({ isa, entry }) {
  return !EXTENDED.includes(entry.x) && !(isa.family === 'gfx9' && entry.f.startsWith('VOP3'));
}

function inline(int) {
  return int(3) === 0 ? 240 + int(9) : 128 + int(81);
}

/** The bit that selects an AGPR, where the generation has it; the two registers of one instruction share it. */
function accumulator(context) {
  const { isa, entry, int } = context;
  if (isa.group === 'gfx9' && entry.f !== 'VOP3P_MAI') return 0;
  if (entry.f === 'VOP3P_MAI') return int(2) * 512;
  return (context.accumulator ??= int(2) * 512);
}

/** Immediates of which only the first values mean something. */
const COUNTS = { dst_sel: 7, dst_unused: 3, src0_sel: 7, src1_sel: 7 };

function randomImmediate({ int }, operand, bits) {
  const count = COUNTS[operand.c];
  if (count !== undefined) return int(count);
  const choice = int(4);
  if (operand.k === 'imm' && choice === 0) return 0;
  if (operand.k === 'imm' && choice === 1 && bits < 32) return 2 ** bits - 1;
  return int(2 ** bits);
}
