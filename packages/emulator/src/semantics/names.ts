/**
 * Names by which older generations know what newer ones renamed: the meaning is written under the newer name, but for what gfx12
 * renamed ({@link GFX12_NAMES}), which keeps the one that it has on gfx11.
 */

/** Endings of global, flat and scratch instructions up to gfx10: `global_load_dword` is `global_load_b32`. */
const MEMORY_ENDINGS: Readonly<Record<string, string>> = {
  load_ubyte: 'load_u8',
  load_sbyte: 'load_i8',
  load_ushort: 'load_u16',
  load_sshort: 'load_i16',
  load_dword: 'load_b32',
  load_dwordx2: 'load_b64',
  load_dwordx3: 'load_b96',
  load_dwordx4: 'load_b128',
  load_ubyte_d16: 'load_d16_u8',
  load_ubyte_d16_hi: 'load_d16_hi_u8',
  load_sbyte_d16: 'load_d16_i8',
  load_sbyte_d16_hi: 'load_d16_hi_i8',
  load_short_d16: 'load_d16_b16',
  load_short_d16_hi: 'load_d16_hi_b16',
  store_byte: 'store_b8',
  store_byte_d16_hi: 'store_d16_hi_b8',
  store_short: 'store_b16',
  store_short_d16_hi: 'store_d16_hi_b16',
  store_dword: 'store_b32',
  store_dwordx2: 'store_b64',
  store_dwordx3: 'store_b96',
  store_dwordx4: 'store_b128',
};

/** Atomics up to gfx10; with `_x2` they are the 64-bit ones. */
const ATOMIC_ENDINGS: Readonly<Record<string, string>> = {
  swap: 'swap_b',
  cmpswap: 'cmpswap_b',
  add: 'add_u',
  sub: 'sub_u',
  smin: 'min_i',
  umin: 'min_u',
  smax: 'max_i',
  umax: 'max_u',
  and: 'and_b',
  or: 'or_b',
  xor: 'xor_b',
  inc: 'inc_u',
  dec: 'dec_u',
  fmin: 'min_f',
  fmax: 'max_f',
  fcmpswap: 'cmpswap_f',
};

const LDS_NAMES: Readonly<Record<string, string>> = {
  ds_read_b32: 'ds_load_b32',
  ds_read_b64: 'ds_load_b64',
  ds_read_b96: 'ds_load_b96',
  ds_read_b128: 'ds_load_b128',
  ds_read2_b32: 'ds_load_2addr_b32',
  ds_read2_b64: 'ds_load_2addr_b64',
  ds_read2st64_b32: 'ds_load_2addr_stride64_b32',
  ds_read2st64_b64: 'ds_load_2addr_stride64_b64',
  ds_read_u8: 'ds_load_u8',
  ds_read_i8: 'ds_load_i8',
  ds_read_u16: 'ds_load_u16',
  ds_read_i16: 'ds_load_i16',
  ds_read_u8_d16: 'ds_load_u8_d16',
  ds_read_u8_d16_hi: 'ds_load_u8_d16_hi',
  ds_read_i8_d16: 'ds_load_i8_d16',
  ds_read_i8_d16_hi: 'ds_load_i8_d16_hi',
  ds_read_u16_d16: 'ds_load_u16_d16',
  ds_read_u16_d16_hi: 'ds_load_u16_d16_hi',
  ds_read_addtid_b32: 'ds_load_addtid_b32',
  ds_write_b8: 'ds_store_b8',
  ds_write_b16: 'ds_store_b16',
  ds_write_b8_d16_hi: 'ds_store_b8_d16_hi',
  ds_write_b16_d16_hi: 'ds_store_b16_d16_hi',
  ds_write_b32: 'ds_store_b32',
  ds_write_b64: 'ds_store_b64',
  ds_write_b96: 'ds_store_b96',
  ds_write_b128: 'ds_store_b128',
  ds_write2_b32: 'ds_store_2addr_b32',
  ds_write2_b64: 'ds_store_2addr_b64',
  ds_write2st64_b32: 'ds_store_2addr_stride64_b32',
  ds_write2st64_b64: 'ds_store_2addr_stride64_b64',
  ds_write_addtid_b32: 'ds_store_addtid_b32',
  ds_wrxchg_rtn_b32: 'ds_storexchg_rtn_b32',
  ds_wrxchg_rtn_b64: 'ds_storexchg_rtn_b64',
  ds_wrxchg2_rtn_b32: 'ds_storexchg_2addr_rtn_b32',
  ds_wrxchg2_rtn_b64: 'ds_storexchg_2addr_rtn_b64',
  ds_wrxchg2st64_rtn_b32: 'ds_storexchg_2addr_stride64_rtn_b32',
  ds_wrxchg2st64_rtn_b64: 'ds_storexchg_2addr_stride64_rtn_b64',
};

const SCALAR_NAMES: Readonly<Record<string, string>> = {
  s_load_dword: 's_load_b32',
  s_load_dwordx2: 's_load_b64',
  s_load_dwordx4: 's_load_b128',
  s_load_dwordx8: 's_load_b256',
  s_load_dwordx16: 's_load_b512',
  s_buffer_load_dword: 's_buffer_load_b32',
  s_buffer_load_dwordx2: 's_buffer_load_b64',
  s_buffer_load_dwordx4: 's_buffer_load_b128',
  s_buffer_load_dwordx8: 's_buffer_load_b256',
  s_buffer_load_dwordx16: 's_buffer_load_b512',
  s_ff1_i32_b32: 's_ctz_i32_b32',
  s_ff1_i32_b64: 's_ctz_i32_b64',
  s_flbit_i32_b32: 's_clz_i32_u32',
  s_flbit_i32_b64: 's_clz_i32_u64',
  s_flbit_i32: 's_cls_i32',
  s_flbit_i32_i64: 's_cls_i32_i64',
  ...Object.fromEntries(
    [32, 64].flatMap((bits) =>
      ['', '_saveexec', '_wrexec'].flatMap((kind) => [
        [`s_andn2${kind}_b${bits}`, `s_and_not1${kind}_b${bits}`],
        [`s_orn2${kind}_b${bits}`, `s_or_not1${kind}_b${bits}`],
        [`s_andn1${kind}_b${bits}`, `s_and_not0${kind}_b${bits}`],
        [`s_orn1${kind}_b${bits}`, `s_or_not0${kind}_b${bits}`],
      ]),
    ),
  ),
};

const VECTOR_NAMES: Readonly<Record<string, string>> = {
  v_ffbh_u32: 'v_clz_i32_u32',
  v_ffbl_b32: 'v_ctz_i32_b32',
  v_ffbh_i32: 'v_cls_i32',
  v_add_u32: 'v_add_nc_u32',
  v_sub_u32: 'v_sub_nc_u32',
  v_subrev_u32: 'v_subrev_nc_u32',
  v_add_i32: 'v_add_nc_i32',
  v_sub_i32: 'v_sub_nc_i32',
  v_mad_legacy_u16: 'v_mad_u16',
  v_mad_legacy_i16: 'v_mad_i16',
  v_fma_legacy_f16: 'v_fma_f16',
  v_div_fixup_legacy_f16: 'v_div_fixup_f16',
  v_dot2c_f32_f16: 'v_dot2acc_f32_f16',
  v_add_u16: 'v_add_nc_u16',
  v_sub_u16: 'v_sub_nc_u16',
  v_add_i16: 'v_add_nc_i16',
  v_sub_i16: 'v_sub_nc_i16',
  v_addc_co_u32: 'v_add_co_ci_u32',
  v_subb_co_u32: 'v_sub_co_ci_u32',
  v_subbrev_co_u32: 'v_subrev_co_ci_u32',
  v_mul_legacy_f32: 'v_mul_dx9_zero_f32',
  v_fma_legacy_f32: 'v_fma_dx9_zero_f32',
  v_fmac_legacy_f32: 'v_fmac_dx9_zero_f32',
  v_cvt_pkrtz_f16_f32: 'v_cvt_pk_rtz_f16_f32',
  v_cvt_pknorm_i16_f32: 'v_cvt_pk_norm_i16_f32',
  v_cvt_pknorm_u16_f32: 'v_cvt_pk_norm_u16_f32',
  v_cvt_pknorm_i16_f16: 'v_cvt_pk_norm_i16_f16',
  v_cvt_pknorm_u16_f16: 'v_cvt_pk_norm_u16_f16',
  v_cvt_flr_i32_f32: 'v_cvt_floor_i32_f32',
  v_cvt_rpi_i32_f32: 'v_cvt_nearest_i32_f32',
  ...Object.fromEntries(
    ['f16', 'f32', 'f64'].flatMap((type) => [
      [`v_cmp_tru_${type}`, `v_cmp_t_${type}`],
      [`v_cmpx_tru_${type}`, `v_cmpx_t_${type}`],
    ]),
  ),
};

function memoryNames(): Record<string, string> {
  const names: Record<string, string> = {};
  for (const space of ['global', 'flat', 'scratch', 'buffer']) {
    for (const [older, newer] of Object.entries(MEMORY_ENDINGS)) {
      names[`${space}_${older}`] = `${space}_${newer}`;
      names[`${space}_${older.replace('load_', 'load_lds_')}`] = `${space}_${newer.replace('load_', 'load_lds_')}`;
    }
    for (const [older, newer] of Object.entries(ATOMIC_ENDINGS)) {
      names[`${space}_atomic_${older}`] = `${space}_atomic_${newer}32`;
      names[`${space}_atomic_${older}_x2`] = `${space}_atomic_${newer}64`;
    }
  }
  for (const letters of ['x', 'xy', 'xyz', 'xyzw']) {
    for (const action of ['buffer_load', 'buffer_store', 'tbuffer_load', 'tbuffer_store']) {
      names[`${action}_format_d16_${letters}`] = `${action}_d16_format_${letters}`;
    }
  }
  names['buffer_load_format_d16_hi_x'] = 'buffer_load_d16_hi_format_x';
  names['buffer_store_format_d16_hi_x'] = 'buffer_store_d16_hi_format_x';
  for (const space of ['global', 'buffer']) names[`${space}_atomic_csub`] = `${space}_atomic_csub_u32`;
  names['global_load_dword_addtid'] = 'global_load_addtid_b32';
  names['global_store_dword_addtid'] = 'global_store_addtid_b32';
  return names;
}

/** Minimum and maximum that prefer numbers have `_num` in their names on gfx12; the addition of 32 bits says that it has a carry. */
function gfx12Names(): Record<string, string> {
  const names: Record<string, string> = {
    s_add_u32: 's_add_co_u32',
    s_sub_u32: 's_sub_co_u32',
    s_add_i32: 's_add_co_i32',
    s_sub_i32: 's_sub_co_i32',
    s_addc_u32: 's_add_co_ci_u32',
    s_subb_u32: 's_sub_co_ci_u32',
    s_addk_i32: 's_addk_co_i32',
    v_mad_u64_u32: 'v_mad_co_u64_u32',
    v_mad_i64_i32: 'v_mad_co_i64_i32',
    s_getpc_b64: 's_get_pc_i64',
    s_setpc_b64: 's_set_pc_i64',
    s_swappc_b64: 's_swap_pc_i64',
    s_call_b64: 's_call_i64',
    s_rfe_b64: 's_rfe_i64',
  };
  const extremes = ['min', 'max'];
  for (const extreme of extremes) {
    for (const type of ['f16', 'f32', 'f64']) names[`v_${extreme}_${type}`] = `v_${extreme}_num_${type}`;
    for (const type of ['f16', 'f32']) {
      names[`s_${extreme}_${type}`] = `s_${extreme}_num_${type}`;
      names[`v_${extreme}3_${type}`] = `v_${extreme}3_num_${type}`;
    }
    names[`v_pk_${extreme}_f16`] = `v_pk_${extreme}_num_f16`;
    for (const type of ['f32', 'f64']) {
      names[`ds_${extreme}_${type}`] = `ds_${extreme}_num_${type}`;
      names[`ds_${extreme}_rtn_${type}`] = `ds_${extreme}_num_rtn_${type}`;
      for (const space of ['global', 'flat', 'buffer']) {
        names[`${space}_atomic_${extreme}_${type}`] = `${space}_atomic_${extreme}_num_${type}`;
      }
    }
  }
  for (const type of ['f16', 'f32']) {
    names[`v_med3_${type}`] = `v_med3_num_${type}`;
    names[`v_minmax_${type}`] = `v_minmax_num_${type}`;
    names[`v_maxmin_${type}`] = `v_maxmin_num_${type}`;
    for (const operation of ['exp', 'log', 'rcp', 'rsq', 'sqrt']) {
      names[`v_${operation}_${type}`] = `v_s_${operation}_${type}`;
    }
  }
  return names;
}

const GFX12_NAMES: Readonly<Record<string, string>> = gfx12Names();

/** Newer name by older one. */
export const NEWER_NAMES: Readonly<Record<string, string>> = {
  ...memoryNames(),
  ...LDS_NAMES,
  ...SCALAR_NAMES,
  ...VECTOR_NAMES,
  ...GFX12_NAMES,
};
