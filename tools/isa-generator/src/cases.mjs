/** The encodings whose text is compared with llvm-mc's: random ones of every entry, and all values of the immediates that print in words. */
import { seededRandom, synthesize, synthesizePair } from './synthesize.mjs';

/** SOPP and SOPK opcodes whose simm16 is printed in words, as the high half of the first word. */
const WORDED_IMMEDIATES = [
  0xbf89, // s_waitcnt
  0xbf88, // s_waitcnt_depctr
  0xbf87, // s_delay_alu
  0xbfb6, // s_sendmsg
  0xb880, // s_getreg_b32
  0xb080, // s_version
];
const DS_SWIZZLE = 0xd8d4;
const VOP1_DPP16_MOV = 0x7e0202fa;
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
      cases.push({ ...targetOf(isa, entry, index + i), bytes: synthesize(isa, index, random), entry: index });
  });
  return cases;
}

/** Random encodings of every pair of operations, `perPair` each. */
export function pairCases(isa, { perPair, step = 1, seed }) {
  const random = seededRandom(seed);
  const { X, Y } = isa.vopd.VOPD;
  const cases = [];
  for (let x = 0; x < X.length; x++) {
    for (let y = 0; y < Y.length; y++) {
      if ((x * Y.length + y) % step !== 0) continue;
      for (let i = 0; i < perPair; i++) {
        cases.push({ processor: isa.cpus[0], waveSize: 32, bytes: synthesizePair(isa, x, y, random), entry: -1 });
      }
    }
  }
  return cases;
}

/** Every `step`-th value of each immediate that is printed in words. */
export function immediateCases(isa, { step = 1 }) {
  const words = [];
  for (let value = 0; value < 0x10000; value += step) {
    for (const high of WORDED_IMMEDIATES) words.push([((high << 16) | value) >>> 0]);
    words.push([((DS_SWIZZLE << 16) | value) >>> 0, 0x05000006]);
  }
  for (let control = 0; control < DPP_CONTROLS; control++) words.push([VOP1_DPP16_MOV, (0xe4000000 | (control << 8) | 3) >>> 0]);
  return words.map((dwords) => {
    const bytes = new Uint8Array(Uint32Array.from(dwords).buffer);
    return { processor: isa.cpus[0], waveSize: 32, bytes, entry: -1 };
  });
}
