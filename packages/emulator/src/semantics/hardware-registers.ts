/** s_getreg and s_setreg: registers by number (LLVM AMDGPU, SIDefines.h, namespace Hwreg), of which MODE alone can be written. */
import type { Value } from '../ir/block.js';
import { PRIVATE_BASE_HIGH, SHARED_BASE_HIGH } from '../ir/apertures.js';
import { SGPR_EXEC, SGPR_VCC } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { encodePlaceField, WAVE_PLACE, WAVE_REQUEST } from '../ir/wave-request.js';
import type { Generation } from './generation.js';
import { decodeMode, encodeMode, MODE_FIXED_ON_GFX12, problemOfMode } from './mode-register.js';
import type { Operation, Semantic } from './operation.js';
import { requestFor } from './wave-request.js';
import { withVgprBanks, withVgprBits } from './vgpr-banks.js';

const HWREG_MODE = 1;
const HWREG_FLAT_SCRATCH_LOW = 20;
const HWREG_FLAT_SCRATCH_HIGH = 21;

type Reader = (b: WaveBuilder) => Value;

const zero: Reader = (b) => b.i32(0);

const bit = (b: WaveBuilder, condition: Value, place: number): Value => b.op('select32', condition, b.i32(2 ** place), b.i32(0));

/** STATUS up to gfx11: SCC, EXECZ, VCCZ, VALID. */
const status: Reader = (b) => {
  const zeros = b.op('or32', bit(b, b.maskIsZero(SGPR_EXEC), 9), bit(b, b.maskIsZero(SGPR_VCC), 10));
  return b.op('or32', b.op('or32', bit(b, b.scc(), 0), zeros), b.i32(1 << 16));
};

/** SH_MEM_BASES: bits 63:48 of the private and shared apertures. */
const memoryBases: Reader = (b) => b.i32((SHARED_BASE_HIGH & 0xffff_0000) | (PRIVATE_BASE_HIGH >>> 16));

/** Readers by number, beside MODE and the place of the wave. Exceptions are not recorded, no access is under way. */
type Readers = Readonly<Record<number, Reader | undefined>>;
const UP_TO_GFX11: Readers = { 2: status, 3: zero, 7: zero, 15: memoryBases };
/** XCC_ID: the emulated part is one die. */
const CDNA3: Readers = { ...UP_TO_GFX11, 20: zero };
/** SHADER_CYCLES: 20 bits (LLVM AMDGPUUsage). */
const GFX10_AND_GFX11: Readers = {
  ...UP_TO_GFX11,
  29: (b) => b.op('and32', b.op('low64', b.clock('cycles')), b.i32(0xf_ffff)),
};
const GFX12: Readers = {
  // STATE_PRIV: SCC (Linux amdkfd, cwsr_trap_handler_gfx12.asm).
  4: (b) => bit(b, b.scc(), 9),
  7: zero,
  // EXCP_FLAG_USER.
  18: zero,
  // SHADER_CYCLES_LO and _HI: a counter of 64 bits.
  29: (b) => b.op('low64', b.clock('cycles')),
  30: (b) => b.op('high64', b.clock('cycles')),
};
/** IB_STS2: bits 9…6 are the place in a cluster of workgroups, of which there are none. */
const GFX1250: Readers = { ...GFX12, 28: zero };

function readersOf({ family }: Generation): Readers {
  switch (family) {
    case 'gfx9':
    case 'gfx90a':
      return UP_TO_GFX11;
    case 'gfx940':
      return CDNA3;
    case 'gfx10':
    case 'gfx11':
      return GFX10_AND_GFX11;
    case 'gfx12':
      return GFX12;
    case 'gfx1250':
      return GFX1250;
    default:
      return family satisfies never;
  }
}

/** Registers that say where the wave runs: the executor knows. */
function placeOf({ isGfx9 }: Generation, id: number): number | undefined {
  if (isGfx9) return id === 4 ? WAVE_PLACE.id : undefined;
  return id === 23 ? WAVE_PLACE.id1 : id === 24 ? WAVE_PLACE.id2 : undefined;
}

interface HwregField {
  readonly id: number;
  readonly offset: number;
  readonly size: number;
}

function hwreg(o: Operation): HwregField {
  const field = o.immediate('simm16') & 0xffff;
  return { id: field & 0x3f, offset: (field >> 6) & 0x1f, size: ((field >> 11) & 0x1f) + 1 };
}

const ones = (size: number): number => (size >= 32 ? 0xffff_ffff : 2 ** size - 1);

function writeMode(o: Operation, { offset, size }: Omit<HwregField, 'id'>, value: Value): void {
  const { b, generation } = o;
  const mask = ((ones(size) << offset) & ~(generation.isGfx12OrLater ? MODE_FIXED_ON_GFX12 : 0)) >>> 0;
  const old = encodeMode(b.mode);
  if (value.kind !== 'const') {
    // What comes next is code of its own for the value that MODE gets.
    const field = b.op('and32', b.op('shl32', value, b.i32(offset)), b.i32(mask));
    b.exit({ kind: 'indirect', target: b.codeAddress(b.nextPc), mode: b.op('or32', field, b.i32((old & ~mask) >>> 0)) });
    return;
  }
  const bits = ((old & ~mask) | ((value.low << offset) & mask)) >>> 0;
  const problem = problemOfMode(bits, generation);
  if (problem !== undefined) o.unsupported(problem);
  if (bits !== old) b.setMode(decodeMode(bits));
}

/** The flat address of private memory, which gfx10 code sets up; here addresses of private memory do not depend on it. */
function isFlatScratch(o: Operation, id: number): boolean {
  return o.generation.family === 'gfx10' && (id === HWREG_FLAT_SCRATCH_LOW || id === HWREG_FLAT_SCRATCH_HIGH);
}

function setHwreg(o: Operation, value: Value): void {
  const field = hwreg(o);
  if (isFlatScratch(o, field.id)) return;
  if (field.id !== HWREG_MODE) o.unsupported(`write of hardware register ${field.id}`);
  writeMode(o, field, value);
}

function setVgprBanks(o: Operation, change: (mode: FloatMode) => FloatMode): void {
  const mode = change(o.b.mode);
  if (mode.others !== o.b.mode.others) o.b.setMode(mode);
}

function getHwreg(o: Operation): void {
  const { b, generation } = o;
  const { id, offset, size } = hwreg(o);
  const place = placeOf(generation, id);
  if (place !== undefined) {
    const register = o.scalarIndex(o.result()) ?? o.unsupported(`${o.name} into ${o.result().special}`);
    if (register >= 0) requestFor(o, WAVE_REQUEST.place, b.i32(encodePlaceField(place, offset, size)), register);
    return;
  }
  const read = id === HWREG_MODE ? (): Value => b.i32(encodeMode(b.mode)) : readersOf(generation)[id];
  const value = read ?? o.unsupported(`read of hardware register ${id}`);
  o.set32(b.op('and32', b.op('shrU32', value(b), b.i32(offset)), b.i32(ones(size))));
}

export const HARDWARE_REGISTERS: Readonly<Record<string, Semantic>> = {
  s_getreg_b32: getHwreg,
  s_setreg_b32: (o) => {
    setHwreg(o, o.u32(0));
  },
  s_setreg_imm32_b32: (o) => {
    const value = o.immediate('imm');
    setHwreg(o, o.b.i32(value));
    // gfx1250 writes the banks of vector registers whatever the field is (LLVM AMDGPULowerVGPREncoding.cpp, handleSetregMode).
    if (o.generation.family === 'gfx1250' && hwreg(o).id === HWREG_MODE) setVgprBanks(o, (mode) => withVgprBits(mode, value));
  },
  s_set_vgpr_msb: (o) => {
    setVgprBanks(o, (mode) => withVgprBanks(mode, o.immediate('simm16') & 0xff));
  },
  s_round_mode: (o) => {
    writeMode(o, { offset: 0, size: 4 }, o.b.i32(o.immediate('simm16') & 0xf));
  },
  s_denorm_mode: (o) => {
    writeMode(o, { offset: 4, size: 4 }, o.b.i32(o.immediate('simm16') & 0xf));
  },
};
