/** Branches, barriers, messages, MODE and the instructions without effect (semantics.md §1, §3, §11, §17, §19). */
import type { Value } from '../ir/block.js';
import { PRIVATE_BASE_HIGH, SHARED_BASE_HIGH } from '../ir/apertures.js';
import { SGPR_EXEC, SGPR_VCC } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import type { Operation, Semantic } from './operation.js';
import { BARRIERS } from './barriers.js';
import { signed16 } from './salu-arithmetic.js';
import { withVgprBanks, withVgprBits } from './vgpr-banks.js';

/** Branch target: words from the next instruction. */
function target(o: Operation): number {
  return o.b.nextPc + signed16(o.immediate('simm16')) * 4;
}

function branch(condition: (b: WaveBuilder) => Value): Semantic {
  return (o) => {
    const { b } = o;
    const value = condition(b);
    const [taken, fall] = [target(o), b.nextPc];
    if (value.kind === 'const') b.exit({ kind: 'jump', to: value.low === 1 ? taken : fall });
    else b.exit({ kind: 'branch', condition: value, taken, fall });
  };
}

const maskIsZero = (b: WaveBuilder, index: number): Value => b.op('eq64', b.waveMask(index), b.i64(0, 0));

const nothing: Semantic = () => undefined;

const notExecutable =
  (reason: string): Semantic =>
  (o) =>
    o.unsupported(reason);

/** GPU address of the instruction after this one. */
function setReturnAddress(o: Operation): void {
  if (o.results.length > 0) o.set64(o.b.codeAddress(o.b.nextPc));
}

/** Hardware registers (LLVM AMDGPU, SIDefines.h, namespace Hwreg). */
const HWREG_MODE = 1;
const HWREG_FLAT_SCRATCH_LOW = 20;
const HWREG_FLAT_SCRATCH_HIGH = 21;
const HWREG_IB_STS2 = 28;
const HWREG_SHADER_CYCLES = 29;

/** gfx9's registers that can be read beside MODE, by number (AMD CDNA3 ISA document, "Hardware Registers"). */
const GFX9_HWREGS: Readonly<Record<number, ((b: WaveBuilder) => Value) | undefined>> = {
  // STATUS: SCC, EXECZ, VCCZ, VALID.
  2: (b) => {
    const bit = (condition: Value, place: number): Value => b.op('select32', condition, b.i32(2 ** place), b.i32(0));
    const zeros = b.op('or32', bit(maskIsZero(b, SGPR_EXEC), 9), bit(maskIsZero(b, SGPR_VCC), 10));
    return b.op('or32', b.op('or32', bit(b.scc(), 0), zeros), b.i32(1 << 16));
  },
  // TRAPSTS: exceptions are not recorded.
  3: (b) => b.i32(0),
  // SH_MEM_BASES: bits 63:48 of the private and shared apertures.
  15: (b) => b.i32((SHARED_BASE_HIGH & 0xffff_0000) | (PRIVATE_BASE_HIGH >>> 16)),
  // XCC_ID: the emulated part is one die.
  20: (b) => b.i32(0),
};

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

const MODE_DX10_CLAMP = 1 << 8;
const MODE_IEEE = 1 << 9;
/** Enables of floating-point exceptions, up to gfx11; later ones have them in another register. */
const MODE_EXCEPTIONS = 0x1ff << 12;
const MODE_FP16_OVERFLOW = 1 << 23;
/** gfx9: GPR_IDX_EN; with VSKIP. */
const MODE_INDEXED = 1 << 27;
const MODE_INDEX_SKIP = 3 << 27;
/** The bits that {@link FloatMode} has names for. */
const MODE_NAMED = 0xff | MODE_DX10_CLAMP | MODE_IEEE | MODE_FP16_OVERFLOW;

/** The MODE register's bits. */
export function encodeMode(mode: FloatMode): number {
  const floats = mode.roundF32 | (mode.roundF16F64 << 2) | (mode.denormF32 << 4) | (mode.denormF16F64 << 6);
  const switches = (mode.dx10Clamp ? MODE_DX10_CLAMP : 0) | (mode.ieee ? MODE_IEEE : 0);
  return (
    (floats |
      switches |
      (mode.indexed === undefined ? 0 : MODE_INDEXED) |
      (mode.fp16Overflow ? MODE_FP16_OVERFLOW : 0) |
      mode.others) >>>
    0
  );
}

const twoBits = (value: number, shift: number): 0 | 1 | 2 | 3 => {
  const bits = (value >>> shift) & 3;
  return bits === 0 ? 0 : bits === 1 ? 1 : bits === 2 ? 2 : 3;
};

export function decodeMode(bits: number): FloatMode {
  return {
    roundF32: twoBits(bits, 0),
    roundF16F64: twoBits(bits, 2),
    denormF32: twoBits(bits, 4),
    denormF16F64: twoBits(bits, 6),
    dx10Clamp: (bits & MODE_DX10_CLAMP) !== 0,
    ieee: (bits & MODE_IEEE) !== 0,
    fp16Overflow: (bits & MODE_FP16_OVERFLOW) !== 0,
    others: (bits & ~MODE_NAMED) >>> 0,
  };
}

function writeMode(o: Operation, field: HwregField, value: number): void {
  const { isGfx9, isGfx12OrLater } = o.generation;
  // DX10_CLAMP and IEEE are fixed on gfx12 and later.
  const fixed = isGfx12OrLater ? MODE_DX10_CLAMP | MODE_IEEE : 0;
  const mask = (ones(field.size) << field.offset) & ~fixed;
  const old = encodeMode(o.b.mode);
  const bits = ((old & ~mask) | ((value << field.offset) & mask)) >>> 0;
  if (!isGfx12OrLater && (bits & MODE_EXCEPTIONS) !== 0) o.unsupported('floating-point exceptions enabled in MODE');
  if (isGfx9 && (bits & MODE_INDEX_SKIP) !== 0) o.unsupported('register indexing or skipping by MODE');
  if (bits !== old) o.b.setMode(decodeMode(bits));
}

/** The flat address of private memory, which gfx10 code sets up; here addresses of private memory do not depend on it. */
function isFlatScratch(o: Operation, id: number): boolean {
  return o.generation.family === 'gfx10' && (id === HWREG_FLAT_SCRATCH_LOW || id === HWREG_FLAT_SCRATCH_HIGH);
}

function setHwreg(o: Operation, value: Value): void {
  const field = hwreg(o);
  if (isFlatScratch(o, field.id)) return;
  if (field.id !== HWREG_MODE) o.unsupported(`write of hardware register ${field.id}`);
  if (value.kind !== 'const') o.unsupported('MODE written from a register whose value is not known');
  writeMode(o, field, value.low);
}

function setVgprBanks(o: Operation, change: (mode: FloatMode) => FloatMode): void {
  const mode = change(o.b.mode);
  if (mode.others !== o.b.mode.others) o.b.setMode(mode);
}

const getHwreg: Semantic = (o) => {
  const { b } = o;
  const field = hwreg(o);
  const extract = (value: Value): Value => b.op('and32', b.op('shrU32', value, b.i32(field.offset)), b.i32(ones(field.size)));
  if (field.id === HWREG_MODE) o.set32(extract(b.i32(encodeMode(b.mode))));
  else if (field.id === HWREG_SHADER_CYCLES) {
    // 20 bits on gfx10.3 and gfx11 (LLVM AMDGPUUsage, s_getreg SHADER_CYCLES).
    o.set32(extract(b.op('and32', b.op('low64', b.clock('cycles')), b.i32(0xf_ffff))));
  } else if (field.id === HWREG_IB_STS2 && o.generation.family === 'gfx1250') {
    // Bits 9…6: the place in a cluster of workgroups; there are none here.
    o.set32(b.i32(0));
  } else {
    const known = o.generation.isGfx9 ? GFX9_HWREGS[field.id] : undefined;
    const value = known ?? o.unsupported(`read of hardware register ${field.id}`);
    o.set32(extract(value(b)));
  }
};

/** s_sendmsg ids (LLVM AMDGPU, SIDefines.h, namespace SendMsg). */
const MSG_DEALLOC_VGPRS = 3;
const MSG_RTN_GET_REALTIME = 0x83;

export const CONTROL: Readonly<Record<string, Semantic>> = {
  s_branch: (o) => {
    o.b.exit({ kind: 'jump', to: target(o) });
  },
  s_cbranch_scc0: branch((b) => b.op('not', b.scc())),
  s_cbranch_scc1: branch((b) => b.scc()),
  s_cbranch_vccz: branch((b) => maskIsZero(b, SGPR_VCC)),
  s_cbranch_vccnz: branch((b) => b.op('not', maskIsZero(b, SGPR_VCC))),
  s_cbranch_execz: branch((b) => maskIsZero(b, SGPR_EXEC)),
  s_cbranch_execnz: branch((b) => b.op('not', maskIsZero(b, SGPR_EXEC))),
  // The debug flags are 0 without a debugger.
  s_cbranch_cdbgsys: nothing,
  s_cbranch_cdbguser: nothing,
  s_cbranch_cdbgsys_or_user: nothing,
  s_cbranch_cdbgsys_and_user: nothing,
  s_getpc_b64: setReturnAddress,
  s_setpc_b64: (o) => {
    o.b.exit({ kind: 'indirect', target: o.u64(0) });
  },
  s_swappc_b64: (o) => {
    const to = o.u64(0);
    setReturnAddress(o);
    o.b.exit({ kind: 'indirect', target: to });
  },
  s_add_pc_i64: (o) => {
    const { b } = o;
    const offset = o.u64(0);
    if (offset.kind === 'const') b.exit({ kind: 'jump', to: b.nextPc + (offset.low | 0) });
    else b.exit({ kind: 'indirect', target: b.op('add64', b.codeAddress(b.nextPc), offset) });
  },
  s_call_b64: (o) => {
    setReturnAddress(o);
    o.b.exit({ kind: 'jump', to: target(o) });
  },
  s_endpgm: (o) => {
    o.b.exit({ kind: 'end' });
  },
  s_endpgm_saved: (o) => {
    o.b.exit({ kind: 'end' });
  },
  ...BARRIERS,
  s_sleep: (o) => {
    o.b.exit({ kind: 'yield', to: o.b.nextPc });
  },
  s_sleep_var: (o) => {
    o.b.exit({ kind: 'yield', to: o.b.nextPc });
  },
  s_monitor_sleep: (o) => {
    o.b.exit({ kind: 'yield', to: o.b.nextPc });
  },
  // Waves have all registers of the code's limit from the start: every request is granted.
  s_alloc_vgpr: (o) => {
    o.b.setScc(o.b.bool(1));
  },
  s_trap: (o) => {
    o.b.exit({ kind: 'trap', id: o.immediate('simm16') & 0xff, to: o.b.nextPc });
  },
  s_sethalt: (o) => {
    if ((o.immediate('simm16') & 1) === 1) o.unsupported('s_sethalt: the wave halts for ever');
  },
  s_sendmsg: (o) => {
    const message = o.immediate('simm16') & 0xff;
    // A hint that the wave needs its vector registers no more.
    if (message !== MSG_DEALLOC_VGPRS || !o.generation.isGfx11OrLater) o.unsupported(`message ${message}`);
  },
  s_sendmsg_rtn_b64: (o) => {
    const message = o.immediate('src0') & 0xff;
    if (message !== MSG_RTN_GET_REALTIME) o.unsupported(`message ${message}`);
    o.set64(o.b.clock('realtime'));
  },
  s_sendmsg_rtn_b32: (o) => o.unsupported(`message ${o.immediate('src0') & 0xff}`),
  s_getreg_b32: getHwreg,
  s_get_shader_cycles_u64: (o) => {
    o.set64(o.b.clock('cycles'));
  },
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
    writeMode(o, { id: HWREG_MODE, offset: 0, size: 4 }, o.immediate('simm16') & 0xf);
  },
  s_denorm_mode: (o) => {
    writeMode(o, { id: HWREG_MODE, offset: 4, size: 4 }, o.immediate('simm16') & 0xf);
  },
  // Timing, caches, priorities: memory is coherent here and results are there at once.
  s_nop: nothing,
  v_nop: nothing,
  v_pipeflush: nothing,
  s_clause: nothing,
  s_delay_alu: nothing,
  s_waitcnt: nothing,
  s_wait_alu: nothing,
  s_wait_asynccnt: nothing,
  s_wait_bvhcnt: nothing,
  s_wait_dscnt: nothing,
  s_wait_expcnt: nothing,
  s_wait_kmcnt: nothing,
  s_wait_loadcnt: nothing,
  s_wait_loadcnt_dscnt: nothing,
  s_wait_samplecnt: nothing,
  s_wait_storecnt: nothing,
  s_wait_storecnt_dscnt: nothing,
  s_wait_tensorcnt: nothing,
  s_wait_xcnt: nothing,
  s_waitcnt_depctr: nothing,
  s_waitcnt_expcnt: nothing,
  s_waitcnt_lgkmcnt: nothing,
  s_waitcnt_vmcnt: nothing,
  s_waitcnt_vscnt: nothing,
  s_wait_idle: nothing,
  s_wait_event: nothing,
  s_set_inst_prefetch_distance: nothing,
  s_inst_prefetch: nothing,
  s_prefetch_inst: nothing,
  s_prefetch_inst_pc_rel: nothing,
  s_prefetch_data: nothing,
  s_prefetch_data_pc_rel: nothing,
  s_buffer_prefetch_data: nothing,
  flat_prefetch_b8: nothing,
  global_prefetch_b8: nothing,
  global_inv: nothing,
  global_wb: nothing,
  global_wbinv: nothing,
  s_setprio: nothing,
  s_setprio_inc_wg: nothing,
  s_icache_inv: nothing,
  s_dcache_inv: nothing,
  s_dcache_inv_vol: nothing,
  s_dcache_wb: nothing,
  s_dcache_wb_vol: nothing,
  // Lines may be thrown away unwritten; here nothing is cached.
  s_dcache_discard: nothing,
  s_dcache_discard_x2: nothing,
  v_clrexcp: nothing,
  s_gl1_inv: nothing,
  buffer_gl0_inv: nothing,
  buffer_gl1_inv: nothing,
  s_version: nothing,
  s_incperflevel: nothing,
  s_decperflevel: nothing,
  s_ttracedata: nothing,
  s_ttracedata_imm: nothing,
  s_wakeup: nothing,
  s_code_end: notExecutable('s_code_end: behind the end of the code'),
  v_illegal: notExecutable('v_illegal'),
};
