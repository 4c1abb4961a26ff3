/** The encodings whose text is compared with llvm-mc's: random ones of every entry, and all values of the immediates that print in words. */
import { seededRandom, synthesize, synthesizePair } from './synthesize.mjs';

/** Classes of immediates that are printed in words; of each, the first instruction with all values. */
const WORDED_CLASSES = [
  'swaitcnt',
  'depctr',
  'sdelayalu',
  'sendmsg',
  'hwreg',
  'versionimm',
  'gpridxmode',
  'swizzle',
  'format',
  'exp_tgt',
  'interpslot',
];
const VOP1_DPP16_MOV = 0x7e0202fa;
/** Fields up to this width are tried with all values always. */
const FEW_BITS = 9;
/** DPP16 control is 9 bits. */
const DPP_CONTROLS = 512;

/** Which processor and wave size an entry is tried on: each of its processors in turn, and both sizes where it has both. */
function targetOf(isa, entry, turn) {
  const processors = entry.cpu === undefined ? isa.cpus : isa.cpusets[entry.cpu];
  const processor = processors[turn % processors.length];
  if (isa.family === 'gfx9' || isa.family === 'gfx1250') return { processor, waveSize: isa.family === 'gfx9' ? 64 : 32 };
  const isOdd = (turn + Math.floor(turn / processors.length)) % 2 === 1;
  return { processor, waveSize: entry.w ?? (isOdd ? 64 : 32) };
}

/** Random encodings: `perEntry` of each entry that the default 16-bit mode shows, from `perEntry` = the number of processors on on every one. */
export function entryCases(isa, { perEntry, step = 1, seed }) {
  const random = seededRandom(seed);
  const cases = [];
  const unwanted = isa.family === 'gfx11' ? 'fake' : 'real';
  isa.entries.forEach((entry, index) => {
    if (index % step !== 0 || entry.t16 === unwanted) return;
    for (let i = 0; i < perEntry; i++)
      cases.push({ ...targetOf(isa, entry, i), bytes: synthesize(isa, index, random), entry: index });
  });
  return cases;
}

/** Random encodings of every pair of operations of both pair formats, `perPair` each. */
export function pairCases(isa, { perPair, step = 1, seed }) {
  const random = seededRandom(seed);
  const cases = [];
  for (const [format, { X, Y }] of Object.entries(isa.vopd ?? {})) {
    for (let pair = 0; pair < X.length * Y.length; pair += step) {
      for (let i = 0; i < perPair; i++) {
        const bytes = synthesizePair(isa, format, Math.floor(pair / Y.length), pair % Y.length, random);
        cases.push({ processor: isa.cpus[i % isa.cpus.length], waveSize: 32, bytes, entry: -1 });
      }
    }
  }
  return cases;
}

/** Every `step`-th value of each immediate that is printed in words, on the processors in turn. */
export function immediateCases(isa, { step = 1 }) {
  const cases = [];
  const add = (entry, words, turn) => {
    const bytes = new Uint8Array(Uint32Array.from(words).buffer);
    cases.push({ ...targetOf(isa, entry, turn), bytes, entry: -1 });
  };
  for (const worded of WORDED_CLASSES) {
    const entry = isa.entries.find(({ o, x }) => x === undefined && isa.opsets[o].some(({ c }) => c === worded));
    if (entry === undefined) continue;
    const { n } = isa.opsets[entry.o].find(({ c }) => c === worded);
    const [[bit, width]] = isa.layouts[entry.l][n];
    for (let value = 0; value < 2 ** width; value += width > FEW_BITS ? step : 1) {
      const code = BigInt(`0x${entry.val}`) | (BigInt(value) << BigInt(bit));
      const words = Array.from({ length: entry.sz / 4 }, (_, i) => Number((code >> BigInt(i * 32)) & 0xffffffffn));
      // The identities of messages and registers are the low bits: let each meet every processor.
      add(entry, words, value + (value >> 6));
    }
  }
  for (let control = 0; control < DPP_CONTROLS; control++) {
    add({}, [VOP1_DPP16_MOV, (0xe4000000 | (control << 8) | 3) >>> 0], control);
  }
  return cases;
}
