/**
 * Random programs of gfx1100 as assembler text: arithmetic on a few registers so that values flow into each other, every kind of
 * control flow that code can have (branches under masks, divergent and scalar loops, jumps into loops, calls), exchange through LDS
 * and atomics. They end by storing all that they changed, so that a wrong value anywhere is seen.
 *
 * Buffer layout from s[4:5]: results; from s[6:7]: inputs (read only); from s[8:9]: dwords for atomics.
 */
import { Random } from '../compile/harness.js';

export interface ProgramText {
  readonly text: string;
  readonly waveSize: 32 | 64;
}

/** Registers that the random instructions use. */
const VGPRS = 12;
const FIRST_SGPR = 16;
const SGPRS = 16;
/** Registers with a fixed purpose: v12 work-item’s number, v13 its offset in buffers, v14/v15 scratch, v16… loop counters. */
export const ALL_VGPRS = 32;
/** Dwords of results of each work-item. */
export const RESULT_DWORDS: number = VGPRS + SGPRS + 4;

const INT2 = [
  ...['v_add_nc_u32', 'v_sub_nc_u32', 'v_subrev_nc_u32', 'v_and_b32', 'v_or_b32', 'v_xor_b32', 'v_xnor_b32', 'v_lshlrev_b32'],
  ...['v_lshrrev_b32', 'v_ashrrev_i32', 'v_min_i32', 'v_max_i32', 'v_min_u32', 'v_max_u32', 'v_mul_u32_u24', 'v_mul_i32_i24'],
];
const INT2_LONG = ['v_mul_lo_u32', 'v_mul_hi_u32', 'v_mul_hi_i32', 'v_bfm_b32', 'v_bcnt_u32_b32', 'v_mbcnt_lo_u32_b32'];
const INT3 = [
  ...['v_bfe_u32', 'v_bfe_i32', 'v_bfi_b32', 'v_perm_b32', 'v_alignbit_b32', 'v_alignbyte_b32', 'v_lshl_add_u32', 'v_add3_u32'],
  ...['v_xad_u32', 'v_mad_u32_u24', 'v_mad_i32_i24', 'v_med3_i32', 'v_min3_u32', 'v_max3_i32', 'v_sad_u32', 'v_lshl_or_b32'],
  ...['v_and_or_b32', 'v_or3_b32', 'v_xor3_b32', 'v_add_lshl_u32', 'v_maxmin_u32'],
];
const FLOAT2 = ['v_add_f32', 'v_sub_f32', 'v_mul_f32', 'v_min_f32', 'v_max_f32', 'v_ldexp_f32'];
const PACKED = [
  'v_pk_add_u16',
  'v_pk_mul_lo_u16',
  'v_pk_lshlrev_b16',
  'v_pk_max_i16',
  'v_pk_add_f16',
  'v_pk_mul_f16',
  'v_pk_min_f16',
];
const HALF = ['v_add_nc_u16', 'v_sub_nc_i16', 'v_mul_lo_u16', 'v_lshlrev_b16', 'v_max_u16', 'v_and_b16', 'v_xor_b16'];
const UNARY = [
  ...['v_mov_b32', 'v_not_b32', 'v_bfrev_b32', 'v_clz_i32_u32', 'v_ctz_i32_b32', 'v_cvt_f32_u32', 'v_cvt_f32_i32'],
  ...['v_cvt_u32_f32', 'v_cvt_i32_f32', 'v_rndne_f32', 'v_floor_f32', 'v_fract_f32', 'v_cvt_f32_ubyte2', 'v_frexp_mant_f32'],
];
const COMPARE = ['lt_u32', 'ge_u32', 'eq_u32', 'ne_i32', 'gt_i32', 'le_i32', 'lt_f32', 'nge_f32', 'o_f32', 'class_f32', 'gt_u16'];
const SALU2 = [
  ...['s_add_u32', 's_sub_u32', 's_addc_u32', 's_subb_u32', 's_and_b32', 's_or_b32', 's_xor_b32', 's_and_not1_b32', 's_nand_b32'],
  ...['s_lshl_b32', 's_lshr_b32', 's_ashr_i32', 's_bfe_u32', 's_bfe_i32', 's_min_u32', 's_max_i32', 's_mul_i32', 's_cselect_b32'],
  ...['s_mul_hi_u32', 's_absdiff_i32', 's_pack_lh_b32_b16', 's_lshl2_add_u32', 's_bfm_b32'],
];
const SALU1 = [
  ...['s_mov_b32', 's_not_b32', 's_brev_b32', 's_bcnt1_i32_b32', 's_ctz_i32_b32', 's_clz_i32_u32', 's_sext_i32_i16', 's_abs_i32'],
  ...['s_cmov_b32', 's_wqm_b32', 's_bitreplicate_b64_b32'],
];
const SALU64 = ['s_and_b64', 's_or_b64', 's_xor_b64', 's_lshl_b64', 's_lshr_b64', 's_cselect_b64', 's_bfe_u64'];
const SCMP = ['s_cmp_lt_u32', 's_cmp_eq_i32', 's_cmp_gt_i32', 's_cmp_lg_u32', 's_bitcmp1_b32'];
const SAVEEXEC = ['and', 'or', 'xor', 'and_not1', 'or_not1', 'nand', 'and_not0'];
const DPP = [
  'row_shl:1',
  'row_shr:3',
  'row_ror:5',
  'row_mirror',
  'row_half_mirror',
  'row_share:7',
  'row_xmask:5',
  'quad_perm:[3,0,1,2]',
];

interface Context {
  /** Levels of loops and branches. */
  readonly depth: number;
  /** All waves of the workgroup get here: barriers are allowed. */
  readonly isUniform: boolean;
  readonly inFunction: boolean;
}

export function generateProgram(seed: number, waveSize: 32 | 64): ProgramText {
  return new Generator(seed, waveSize).program();
}

class Generator {
  readonly #random: Random;
  readonly #waveSize: 32 | 64;
  readonly #lines: string[] = [];
  #labels = 0;
  #budget: number;
  readonly #calls: boolean;

  constructor(seed: number, waveSize: 32 | 64) {
    this.#random = new Random(Math.imul(seed + 1, 0x9e37_79b1));
    for (let i = 0; i < 8; i++) this.#random.word();
    this.#waveSize = waveSize;
    this.#budget = 20 + this.#random.below(100);
    this.#calls = this.#random.below(4) === 0;
  }

  program(): ProgramText {
    const wide = this.#waveSize === 64;
    const w = wide ? 'b64' : 'b32';
    const exec = wide ? 'exec' : 'exec_lo';
    this.#emit(
      's_load_b128 s[4:7], s[0:1], 0',
      's_load_b64 s[8:9], s[0:1], 16',
      's_mov_b32 s3, s2',
      `s_mov_${w} ${wide ? 's[96:97]' : 's96'}, ${exec}`,
      `s_mov_${w} ${exec}, -1`,
      // Lanes without a work-item get a number of their own as well.
      'v_readlane_b32 s11, v0, 0',
      's_and_b32 s11, s11, 0x3ff',
      'v_mbcnt_lo_u32_b32 v12, -1, s11',
      ...(wide ? ['v_mbcnt_hi_u32_b32 v12, -1, v12'] : []),
      's_lshl_b32 s10, s3, 10',
      'v_add_nc_u32 v12, s10, v12',
      'v_lshlrev_b32 v13, 2, v12',
      'v_lshlrev_b32 v14, 2, v12',
      's_waitcnt lgkmcnt(0)',
      's_load_b512 s[16:31], s[6:7], 0',
      'v_and_b32 v15, 0xff, v12',
      'v_lshlrev_b32 v15, 2, v15',
    );
    for (let i = 1; i < 8; i++) this.#emit(`global_load_b32 v${i}, v15, s[6:7] offset:${i * 64}`);
    this.#emit('s_waitcnt vmcnt(0) lgkmcnt(0)', `s_mov_${w} ${exec}, ${wide ? 's[96:97]' : 's96'}`);
    // What LDS holds at the start is not specified.
    this.#emit(`s_mov_${w} ${exec}, -1`, 'v_mbcnt_lo_u32_b32 v14, -1, 0', 'v_lshlrev_b32 v14, 2, v14', 'v_mov_b32 v15, 0');
    for (let i = 0; i < 8; i++) this.#emit(`ds_store_b32 v14, v15 offset:${i * 128}`);
    this.#emit(`s_mov_${w} ${exec}, ${wide ? 's[96:97]' : 's96'}`);
    this.#barrier();
    this.#emit(
      'v_and_b32 v14, 0x3ff, v12',
      'v_lshlrev_b32 v14, 2, v14',
      'ds_store_b32 v14, v1',
      'ds_store_b32 v14, v2 offset:4096',
    );
    this.#barrier();
    this.#sequence({ depth: 0, isUniform: true, inFunction: false }, 3 + this.#random.below(10));
    this.#finish(w, exec, wide);
    if (this.#calls) {
      for (let index = 0; index < 2; index++) {
        this.#budget = Math.max(this.#budget, 12);
        this.#emit(`function${index}:`);
        this.#sequence({ depth: 7, isUniform: false, inFunction: true }, 1 + this.#random.below(4));
        this.#emit('s_setpc_b64 s[98:99]');
      }
    }
    return { text: `${this.#lines.join('\n')}\n`, waveSize: this.#waveSize };
  }

  /** Stores everything, sometimes for lanes that were never active as well. */
  #finish(w: string, exec: string, wide: boolean): void {
    this.#emit('s_cselect_b32 s94, 1, 0', 's_mov_b32 s92, vcc_lo', 's_mov_b32 s93, vcc_hi', 's_mov_b32 s95, exec_lo');
    this.#emit(`s_mov_${w} ${exec}, ${this.#random.below(2) === 0 ? '-1' : wide ? 's[96:97]' : 's96'}`);
    this.#emit(`v_mul_u32_u24 v15, ${RESULT_DWORDS * 4}, v12`);
    let dword = 0;
    const store = (register: string): void => this.#emit(`global_store_b32 v15, ${register}, s[4:5] offset:${dword++ * 4}`);
    for (let i = 0; i < VGPRS; i++) store(`v${i}`);
    for (const s of [...Array.from({ length: SGPRS }, (_, i) => FIRST_SGPR + i), ...(wide ? [92, 93] : [92, 92]), 94, 95]) {
      this.#emit(`v_mov_b32 v14, s${s}`);
      store('v14');
    }
    this.#emit('s_endpgm');
  }

  #emit(...lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.below(list.length)]!;
  }

  #label(): string {
    return `label${this.#labels++}`;
  }

  #v(): string {
    return `v${this.#random.below(VGPRS)}`;
  }
  #s(): string {
    return `s${FIRST_SGPR + this.#random.below(SGPRS)}`;
  }
  #pair(): string {
    const first = FIRST_SGPR + 2 * this.#random.below(SGPRS / 2);
    return `s[${first}:${first + 1}]`;
  }
  /** A lane mask's register. */
  #mask(): string {
    const wide = this.#waveSize === 64;
    if (this.#random.below(3) === 0) return wide ? 'vcc' : 'vcc_lo';
    return wide ? this.#pair() : this.#s();
  }
  #scalar(): string {
    const kind = this.#random.below(12);
    if (kind < 7) return this.#s();
    if (kind === 7) return 'vcc_lo';
    if (kind === 8) return 'exec_lo';
    if (kind === 9) return String(this.#random.below(66) - 1);
    return kind === 10 ? 'm0' : this.#pick(['0', '-1', '1', '1.0', '31', '64']);
  }
  #source(): string {
    const kind = this.#random.below(10);
    return kind < 7 ? this.#v() : kind < 9 ? this.#s() : String(this.#random.below(80) - 16);
  }

  #sequence(context: Context, statements: number): void {
    for (let i = 0; i < statements && this.#budget > 0; i++) this.#statement(context);
  }

  #statement(context: Context): void {
    const run = 1 + this.#random.below(6);
    for (let i = 0; i < run; i++) this.#instruction();
    if (context.depth === 4 || context.depth === 9) return;
    const inner: Context = { depth: context.depth + 1, isUniform: false, inFunction: context.inFunction };
    const body = (): void => this.#sequence(inner, 1 + this.#random.below(3));
    switch (this.#random.below(16)) {
      case 0:
      case 1:
        this.#ifMasked(context.depth, body);
        return;
      case 2:
        this.#ifElse(context.depth, body);
        return;
      case 3:
        this.#ifScalar(body);
        return;
      case 4:
      case 5:
        this.#divergentLoop(context, body);
        return;
      case 6:
        this.#scalarLoop(context, body);
        return;
      case 7:
        this.#jumpIntoLoop(context, body);
        return;
      case 8:
        this.#saveexec();
        return;
      case 9:
      case 10:
        if (context.isUniform) this.#exchange();
        return;
      case 11:
        this.#atomic();
        return;
      case 12:
        if (this.#calls && !context.inFunction) this.#call();
        return;
      case 13:
        this.#ifVccz(body);
        return;
      default:
    }
  }

  // Control flow

  #wide(name: string): string {
    return this.#waveSize === 64 ? `${name}_b64` : `${name}_b32`;
  }
  #execName(): string {
    return this.#waveSize === 64 ? 'exec' : 'exec_lo';
  }
  /** Saved EXEC of a level. */
  #saved(depth: number): string {
    const first = 40 + depth * 4;
    return this.#waveSize === 64 ? `s[${first}:${first + 1}]` : `s${first}`;
  }

  #ifMasked(depth: number, body: () => void): void {
    const mask = this.#mask();
    const saved = this.#saved(depth);
    this.#compare(mask);
    this.#emit(`${this.#wide('s_and_saveexec').replace('_b', '_b')} ${saved}, ${mask}`);
    const skip = this.#label();
    if (this.#random.below(2) === 0) this.#emit(`s_cbranch_execz ${skip}`);
    body();
    this.#emit(`${skip}:`, `${this.#wide('s_or')} ${this.#execName()}, ${this.#execName()}, ${saved}`);
  }

  #ifElse(depth: number, body: () => void): void {
    const mask = this.#mask();
    const saved = this.#saved(depth);
    const exec = this.#execName();
    const [other, end] = [this.#label(), this.#label()];
    this.#compare(mask);
    this.#emit(`${this.#wide('s_and_saveexec')} ${saved}, ${mask}`, `${this.#wide('s_xor')} ${saved}, ${exec}, ${saved}`);
    if (this.#random.below(2) === 0) this.#emit(`s_cbranch_execz ${other}`);
    body();
    this.#emit(`${other}:`);
    this.#emit(
      `${this.#wide(this.#random.below(2) === 0 ? 's_or_saveexec' : 's_and_not0_saveexec')} ${saved}, ${saved}`,
      `${this.#wide('s_xor')} ${exec}, ${exec}, ${saved}`,
    );
    if (this.#random.below(2) === 0) this.#emit(`s_cbranch_execz ${end}`);
    body();
    this.#emit(`${end}:`, `${this.#wide('s_or')} ${exec}, ${exec}, ${saved}`);
  }

  #ifScalar(body: () => void): void {
    const [other, end] = [this.#label(), this.#label()];
    this.#emit(`${this.#pick(SCMP)} ${this.#s()}, ${this.#scalarConstant()}`);
    for (let i = this.#random.below(3); i > 0; i--) this.#vector();
    this.#emit(`s_cbranch_scc${this.#random.below(2)} ${other}`);
    body();
    if (this.#random.below(2) === 0) this.#emit(`${other}:`);
    else {
      this.#emit(`s_branch ${end}`, `${other}:`);
      body();
      this.#emit(`${end}:`);
    }
  }

  #ifVccz(body: () => void): void {
    const end = this.#label();
    if (this.#random.below(2) === 0) this.#compare(this.#waveSize === 64 ? 'vcc' : 'vcc_lo');
    this.#emit(`s_cbranch_vcc${this.#pick(['z', 'nz'])} ${end}`);
    body();
    this.#emit(`${end}:`);
  }

  /** Lanes leave after one to eight rounds. */
  #divergentLoop({ depth }: Context, body: () => void): void {
    const saved = this.#saved(depth);
    const exec = this.#execName();
    const counter = `v${16 + depth}`;
    const vcc = this.#waveSize === 64 ? 'vcc' : 'vcc_lo';
    const head = this.#label();
    this.#emit(
      `v_and_b32 ${counter}, ${this.#pick(['1', '3', '7'])}, ${this.#v()}`,
      `${this.#wide('s_mov')} ${saved}, ${exec}`,
      `${head}:`,
    );
    body();
    this.#emit(`v_add_nc_u32 ${counter}, -1, ${counter}`, `v_cmp_lt_i32 ${vcc}, -1, ${counter}`);
    if (this.#random.below(2) === 0) this.#emit(`${this.#wide('s_and')} ${exec}, ${exec}, ${vcc}`);
    else this.#emit(`v_cmpx_lt_i32 -1, ${counter}`);
    this.#emit(`s_cbranch_execnz ${head}`, `${this.#wide('s_mov')} ${exec}, ${saved}`);
  }

  #scalarLoop({ depth, isUniform }: Context, body: () => void): void {
    const counter = `s${80 + depth}`;
    const head = this.#label();
    this.#emit(`s_mov_b32 ${counter}, ${1 + this.#random.below(4)}`, `${head}:`);
    body();
    if (isUniform && this.#random.below(2) === 0) this.#exchange();
    this.#emit(`s_sub_u32 ${counter}, ${counter}, 1`, `s_cmp_lg_u32 ${counter}, 0`, `s_cbranch_scc1 ${head}`);
  }

  /** A loop with two entries: no structure fits it. */
  #jumpIntoLoop({ depth }: Context, body: () => void): void {
    const counter = `s${80 + depth}`;
    const [head, middle] = [this.#label(), this.#label()];
    this.#emit(
      `s_mov_b32 ${counter}, ${1 + this.#random.below(4)}`,
      `${this.#pick(SCMP)} ${this.#s()}, ${this.#scalarConstant()}`,
    );
    this.#emit(`s_cbranch_scc1 ${middle}`, `${head}:`);
    body();
    this.#emit(`${middle}:`);
    body();
    this.#emit(`s_sub_u32 ${counter}, ${counter}, 1`, `s_cmp_lg_u32 ${counter}, 0`, `s_cbranch_scc1 ${head}`);
  }

  #call(): void {
    const here = this.#label();
    const target = `function${this.#random.below(2)}`;
    this.#emit('s_getpc_b64 s[100:101]', `${here}:`, `s_add_u32 s100, s100, ${target}-${here}`, 's_addc_u32 s101, s101, 0');
    this.#emit('s_swappc_b64 s[98:99], s[100:101]');
  }

  /** EXEC by any logic, restored at once or left until the next branch restores it. */
  #saveexec(): void {
    const saved = this.#saved(5);
    this.#emit(`${this.#wide(`s_${this.#pick(SAVEEXEC)}_saveexec`)} ${saved}, ${this.#mask()}`);
    for (let i = this.#random.below(4); i > 0; i--) this.#vector();
    this.#emit(`${this.#wide('s_mov')} ${this.#execName()}, ${saved}`);
  }

  // Memory

  #barrier(): void {
    this.#emit('s_waitcnt lgkmcnt(0)', 's_barrier');
  }

  /** Each work-item writes its dword of LDS, then reads another’s. */
  #exchange(): void {
    this.#emit('v_and_b32 v14, 0xff, v12', 'v_lshlrev_b32 v14, 2, v14');
    const saved = this.#saved(6);
    const exec = this.#execName();
    const isFull = this.#random.below(2) === 0;
    const all = this.#waveSize === 64 ? 's[96:97]' : 's96';
    if (isFull) this.#emit(`${this.#wide('s_mov')} ${saved}, ${exec}`, `${this.#wide('s_mov')} ${exec}, ${all}`);
    this.#barrier();
    this.#emit(`ds_store_b32 v14, ${this.#v()}`);
    this.#barrier();
    this.#emit(
      `v_xor_b32 v14, ${4 * (1 << this.#random.below(5))}, v14`,
      `ds_load_b32 ${this.#v()}, v14`,
      's_waitcnt lgkmcnt(0)',
    );
    if (this.#random.below(2) === 0) {
      this.#emit(
        `v_and_b32 v14, 0xfc, ${this.#v()}`,
        `ds_${this.#pick(['load_u8', 'load_b32', 'load_i16'])} ${this.#v()}, v14 offset:4`,
      );
      this.#emit('s_waitcnt lgkmcnt(0)');
    }
    if (isFull) this.#emit(`${this.#wide('s_mov')} ${exec}, ${saved}`);
    this.#barrier();
  }

  /** Operations whose order does not matter, on dwords that all waves share; with a result only on the lane’s own dword. */
  #atomic(): void {
    const op = this.#pick(['add_u32', 'or_b32', 'xor_b32', 'max_u32', 'min_i32']);
    switch (this.#random.below(4)) {
      case 0:
        // Each kind of operation has dwords of its own: they do not commute with each other.
        this.#emit(
          `v_and_b32 v14, 0x7c, ${this.#v()}`,
          `global_atomic_${op} v14, ${this.#v()}, s[8:9] offset:${atomicPlace(op)}`,
        );
        return;
      case 1:
        this.#emit(`global_atomic_add_u32 ${this.#v()}, v13, ${this.#v()}, s[8:9] offset:2048 glc`, 's_waitcnt vmcnt(0)');
        return;
      case 2:
        this.#emit(`v_and_b32 v14, 0x3ff, v12`, 'v_lshlrev_b32 v14, 2, v14');
        this.#emit(`ds_${op.replace('_', '_rtn_')} ${this.#v()}, v14, ${this.#v()} offset:4096`, 's_waitcnt lgkmcnt(0)');
        return;
      default:
        this.#emit(
          `v_and_b32 v14, 0xfc, ${this.#v()}`,
          `global_load_${this.#pick(['u8', 'b32', 'i16', 'd16_hi_b16'])} ${this.#v()}, v14, s[6:7]`,
        );
        this.#emit('s_waitcnt vmcnt(0)');
    }
  }

  // Instructions

  #scalarConstant(): string {
    return this.#random.below(2) === 0 ? this.#s() : String(this.#random.below(40));
  }

  #instruction(): void {
    this.#budget--;
    if (this.#random.below(3) === 0) this.#salu();
    else this.#vector();
  }

  #salu(): void {
    const target = this.#random.below(10) === 0 ? this.#pick(['vcc_lo', 'vcc_hi']) : this.#s();
    switch (this.#random.below(12)) {
      case 0:
      case 1: {
        const op = this.#pick(SALU1);
        this.#emit(`${op} ${op.includes('_b64_') ? this.#pair() : target}, ${this.#s()}`);
        return;
      }
      case 2: {
        const op = this.#pick(SALU64);
        const last = op.includes('lsh') || op.includes('bfe') ? this.#s() : this.#random.below(3) === 0 ? 'vcc' : this.#pair();
        this.#emit(`${op} ${this.#random.below(6) === 0 ? 'vcc' : this.#pair()}, ${this.#pair()}, ${last}`);
        return;
      }
      case 3:
      case 4:
        this.#emit(`${this.#pick(SCMP)} ${this.#scalar()}, ${this.#scalarConstant()}`);
        return;
      case 5:
        this.#emit(
          `s_${this.#pick(['addk_i32', 'mulk_i32', 'movk_i32', 'cmovk_i32'])} ${this.#s()}, ${this.#random.below(300) - 100}`,
        );
        return;
      case 6:
        this.#emit('s_mov_b32 m0, ' + String(this.#random.below(4)));
        this.#emit(
          this.#pick([
            `s_movrels_b32 ${this.#s()}, s16`,
            `s_movreld_b32 s16, ${this.#s()}`,
            `s_movrels_b64 ${this.#pair()}, s[18:19]`,
          ]),
        );
        return;
      default:
        this.#emit(`${this.#pick(SALU2)} ${target}, ${this.#scalar()}, ${this.#s()}`);
    }
  }

  #compare(target: string): void {
    const op = this.#pick(COMPARE);
    this.#emit(
      `v_cmp_${op}_e64 ${target}, ${op.endsWith('u16') ? `${this.#v()}.l` : this.#source()}, ${op.endsWith('u16') ? `${this.#v()}.h` : this.#v()}`,
    );
  }

  #float(): string {
    const source = this.#source();
    const kind = this.#random.below(4);
    if (!source.startsWith('v')) return source;
    return kind === 0 ? `-${source}` : kind === 1 ? `|${source}|` : source;
  }

  #half(): string {
    return `${this.#v()}.${this.#pick(['l', 'h'])}`;
  }

  #vector(): void {
    switch (this.#random.below(22)) {
      case 0:
      case 1:
      case 2:
        this.#emit(`${this.#pick(INT2)}_e64 ${this.#v()}, ${this.#source()}, ${this.#v()}`);
        return;
      case 3:
        this.#emit(`${this.#pick(INT2_LONG)} ${this.#v()}, ${this.#source()}, ${this.#v()}`);
        return;
      case 4:
      case 5:
        this.#emit(`${this.#pick(INT3)} ${this.#v()}, ${this.#source()}, ${this.#v()}, ${this.#v()}`);
        return;
      case 6: {
        const modifier = this.#pick(['', '', '', ' clamp', ' mul:2']);
        this.#emit(`${this.#pick(FLOAT2)}_e64 ${this.#v()}, ${this.#v()}, ${this.#v()}${modifier}`);
        return;
      }
      case 7:
        this.#emit(
          `v_fma_f32 ${this.#v()}, ${this.#float()}, ${this.#v()}, ${this.#v()}`,
          `v_fmac_f32 ${this.#v()}, ${this.#v()}, ${this.#v()}`,
        );
        return;
      case 8:
        this.#emit(
          `${this.#pick(PACKED)} ${this.#v()}, ${this.#v()}, ${this.#v()} op_sel:[${this.#random.below(2)},0] op_sel_hi:[1,${this.#random.below(2)}]`,
        );
        return;
      case 9:
        this.#emit(`${this.#pick(HALF)} ${this.#half()}, ${this.#half()}, ${this.#half()}`);
        return;
      case 10:
        this.#emit(`${this.#pick(UNARY)} ${this.#v()}, ${this.#source()}`);
        return;
      case 11:
        this.#compare(this.#mask());
        return;
      case 12:
        this.#emit(`v_cndmask_b32_e64 ${this.#v()}, ${this.#source()}, ${this.#v()}, ${this.#mask()}`);
        return;
      case 13: {
        const [carry, first] = [this.#mask(), this.#mask()];
        this.#emit(`v_add_co_u32 ${this.#v()}, ${first}, ${this.#v()}, ${this.#v()}`);
        this.#emit(
          `${this.#pick(['v_add_co_ci_u32', 'v_sub_co_ci_u32'])}_e64 ${this.#v()}, ${carry}, ${this.#v()}, ${this.#v()}, ${first}`,
        );
        return;
      }
      case 14:
        this.#dpp();
        return;
      case 15:
        this.#emit(
          `v_readlane_b32 ${this.#s()}, ${this.#v()}, ${this.#random.below(2) === 0 ? this.#s() : this.#random.below(64)}`,
        );
        return;
      case 16:
        this.#emit(
          this.#pick([
            `v_readfirstlane_b32 ${this.#s()}, ${this.#v()}`,
            `v_writelane_b32 ${this.#v()}, ${this.#s()}, ${this.#random.below(64)}`,
          ]),
        );
        return;
      case 17:
        this.#emit(`ds_bpermute_b32 ${this.#v()}, ${this.#v()}, ${this.#v()}`, 's_waitcnt lgkmcnt(0)');
        return;
      case 18:
        this.#emit(
          `v_permlane${this.#pick(['16', 'x16'])}_b32 ${this.#v()}, ${this.#v()}, ${this.#s()}, ${this.#s()} op_sel:[${this.#random.below(2)},${this.#random.below(2)}]`,
        );
        return;
      case 19:
        this.#emit(
          `s_mov_b32 m0, ${this.#random.below(5)}`,
          `${this.#pick(['v_movrels_b32', 'v_movreld_b32', 'v_movrelsd_b32'])} v${this.#random.below(7)}, v${this.#random.below(7)}`,
        );
        return;
      case 20: {
        const pair = this.#random.below(VGPRS - 1);
        const [a, c] = [this.#random.below(VGPRS - 1), this.#random.below(VGPRS - 1)];
        if (this.#random.below(2) === 0)
          this.#emit(`v_mad_u64_u32 v[${pair}:${pair + 1}], ${this.#mask()}, ${this.#v()}, ${this.#v()}, v[${c}:${c + 1}]`);
        else this.#emit(`v_lshlrev_b64 v[${pair}:${pair + 1}], ${this.#v()}, v[${a}:${a + 1}]`);
        return;
      }
      default: {
        // Shapes: what depends on the lane alone.
        this.#emit(
          this.#pick([
            `v_mov_b32 ${this.#v()}, v12`,
            `v_mov_b32 ${this.#v()}, ${this.#s()}`,
            `v_mov_b32 ${this.#v()}, 0`,
            `v_mbcnt_lo_u32_b32 ${this.#v()}, -1, 0`,
          ]),
        );
      }
    }
  }

  #dpp(): void {
    const [mask, bank] = [this.#pick(['0xf', '0xf', '0x5']), this.#pick(['0xf', '0xf', '0xb'])];
    const control = `${this.#pick(DPP)} row_mask:${mask} bank_mask:${bank}${this.#pick(['', ' bound_ctrl:1'])}${this.#pick(['', '', ' fi:1'])}`;
    switch (this.#random.below(4)) {
      case 0:
        this.#emit(`v_mov_b32_dpp ${this.#v()}, ${this.#v()} dpp8:[7,6,1,0,3,2,5,4]${this.#pick(['', ' fi:1'])}`);
        return;
      case 1:
        this.#emit(`v_cmp_gt_u32_dpp ${this.#waveSize === 64 ? 'vcc' : 'vcc_lo'}, ${this.#v()}, ${this.#v()} ${control}`);
        return;
      case 2:
        this.#emit(`v_mov_b32_dpp ${this.#v()}, ${this.#v()} ${control}`);
        return;
      default:
        this.#emit(
          `${this.#pick(['v_add_nc_u32', 'v_xor_b32', 'v_max_f32'])}_dpp ${this.#v()}, ${this.#v()}, ${this.#v()} ${control}`,
        );
    }
  }
}

function atomicPlace(op: string): number {
  return 128 * ['add_u32', 'or_b32', 'xor_b32', 'max_u32', 'min_i32'].indexOf(op);
}
