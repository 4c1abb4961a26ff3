/**
 * Instructions by their names of earlier generations, which llvm-mc reads as well (LLVM: the `MnemonicAlias` records of
 * `*Instructions.td`): `global_load_dword>global_load_b32`, by the families that read them so.
 */
const RENAMED: readonly (readonly [families: readonly string[], names: string])[] = [
  [
    ['gfx9'],
    `
    v_accvgpr_read>v_accvgpr_read_b32 v_accvgpr_write>v_accvgpr_write_b32 v_mfma_f32_16x16x16bf16_1k>v_mfma_f32_16x16x16_bf16
    v_mfma_f32_16x16x16f16>v_mfma_f32_16x16x16_f16 v_mfma_f32_16x16x1f32>v_mfma_f32_16x16x1_4b_f32
    v_mfma_f32_16x16x4bf16_1k>v_mfma_f32_16x16x4_4b_bf16 v_mfma_f32_16x16x4f16>v_mfma_f32_16x16x4_4b_f16
    v_mfma_f32_16x16x4f32>v_mfma_f32_16x16x4_f32 v_mfma_f32_32x32x1f32>v_mfma_f32_32x32x1_2b_f32
    v_mfma_f32_32x32x2f32>v_mfma_f32_32x32x2_f32 v_mfma_f32_32x32x4bf16_1k>v_mfma_f32_32x32x4_2b_bf16
    v_mfma_f32_32x32x4f16>v_mfma_f32_32x32x4_2b_f16 v_mfma_f32_32x32x8bf16_1k>v_mfma_f32_32x32x8_bf16
    v_mfma_f32_32x32x8f16>v_mfma_f32_32x32x8_f16 v_mfma_f32_4x4x1f32>v_mfma_f32_4x4x1_16b_f32
    v_mfma_f32_4x4x4bf16_1k>v_mfma_f32_4x4x4_16b_bf16 v_mfma_f32_4x4x4f16>v_mfma_f32_4x4x4_16b_f16
    v_mfma_f64_16x16x4f64>v_mfma_f64_16x16x4_f64 v_mfma_f64_4x4x4f64>v_mfma_f64_4x4x4_4b_f64
    v_mfma_i32_16x16x4i8>v_mfma_i32_16x16x4_4b_i8 v_mfma_i32_32x32x4i8>v_mfma_i32_32x32x4_2b_i8
    v_mfma_i32_4x4x4i8>v_mfma_i32_4x4x4_16b_i8 v_mfma_f32_32x32x4bf16>v_mfma_f32_32x32x4_2b_bf16
    `,
  ],
  [
    ['gfx11', 'gfx12', 'gfx1250'],
    `
    buffer_atomic_add>buffer_atomic_add_u32 buffer_atomic_add_x2>buffer_atomic_add_u64 buffer_atomic_and>buffer_atomic_and_b32
    buffer_atomic_and_x2>buffer_atomic_and_b64 buffer_atomic_cmpswap>buffer_atomic_cmpswap_b32
    buffer_atomic_cmpswap_x2>buffer_atomic_cmpswap_b64 buffer_atomic_dec>buffer_atomic_dec_u32
    buffer_atomic_dec_x2>buffer_atomic_dec_u64 buffer_atomic_inc>buffer_atomic_inc_u32
    buffer_atomic_inc_x2>buffer_atomic_inc_u64 buffer_atomic_or>buffer_atomic_or_b32 buffer_atomic_or_x2>buffer_atomic_or_b64
    buffer_atomic_smax>buffer_atomic_max_i32 buffer_atomic_smax_x2>buffer_atomic_max_i64
    buffer_atomic_smin>buffer_atomic_min_i32 buffer_atomic_smin_x2>buffer_atomic_min_i64
    buffer_atomic_sub>buffer_atomic_sub_u32 buffer_atomic_sub_x2>buffer_atomic_sub_u64
    buffer_atomic_swap>buffer_atomic_swap_b32 buffer_atomic_swap_x2>buffer_atomic_swap_b64
    buffer_atomic_umax>buffer_atomic_max_u32 buffer_atomic_umax_x2>buffer_atomic_max_u64
    buffer_atomic_umin>buffer_atomic_min_u32 buffer_atomic_umin_x2>buffer_atomic_min_u64
    buffer_atomic_xor>buffer_atomic_xor_b32 buffer_atomic_xor_x2>buffer_atomic_xor_b64 buffer_load_dword>buffer_load_b32
    buffer_load_dwordx2>buffer_load_b64 buffer_load_dwordx3>buffer_load_b96 buffer_load_dwordx4>buffer_load_b128
    buffer_load_sbyte>buffer_load_i8 buffer_load_sbyte_d16>buffer_load_d16_i8 buffer_load_sbyte_d16_hi>buffer_load_d16_hi_i8
    buffer_load_short_d16>buffer_load_d16_b16 buffer_load_short_d16_hi>buffer_load_d16_hi_b16
    buffer_load_sshort>buffer_load_i16 buffer_load_ubyte>buffer_load_u8 buffer_load_ubyte_d16>buffer_load_d16_u8
    buffer_load_ubyte_d16_hi>buffer_load_d16_hi_u8 buffer_load_ushort>buffer_load_u16 buffer_store_byte>buffer_store_b8
    buffer_store_byte_d16_hi>buffer_store_d16_hi_b8 buffer_store_dword>buffer_store_b32 buffer_store_dwordx2>buffer_store_b64
    buffer_store_dwordx3>buffer_store_b96 buffer_store_dwordx4>buffer_store_b128 buffer_store_short>buffer_store_b16
    buffer_store_short_d16_hi>buffer_store_d16_hi_b16 ds_read2_b32>ds_load_2addr_b32 ds_read2_b64>ds_load_2addr_b64
    ds_read2st64_b32>ds_load_2addr_stride64_b32 ds_read2st64_b64>ds_load_2addr_stride64_b64
    ds_read_addtid_b32>ds_load_addtid_b32 ds_read_b128>ds_load_b128 ds_read_b32>ds_load_b32 ds_read_b64>ds_load_b64
    ds_read_b96>ds_load_b96 ds_read_i16>ds_load_i16 ds_read_i8>ds_load_i8 ds_read_i8_d16>ds_load_i8_d16
    ds_read_i8_d16_hi>ds_load_i8_d16_hi ds_read_u16>ds_load_u16 ds_read_u16_d16>ds_load_u16_d16
    ds_read_u16_d16_hi>ds_load_u16_d16_hi ds_read_u8>ds_load_u8 ds_read_u8_d16>ds_load_u8_d16
    ds_read_u8_d16_hi>ds_load_u8_d16_hi ds_write2_b32>ds_store_2addr_b32 ds_write2_b64>ds_store_2addr_b64
    ds_write2st64_b32>ds_store_2addr_stride64_b32 ds_write2st64_b64>ds_store_2addr_stride64_b64
    ds_write_addtid_b32>ds_store_addtid_b32 ds_write_b128>ds_store_b128 ds_write_b16>ds_store_b16
    ds_write_b16_d16_hi>ds_store_b16_d16_hi ds_write_b32>ds_store_b32 ds_write_b64>ds_store_b64 ds_write_b8>ds_store_b8
    ds_write_b8_d16_hi>ds_store_b8_d16_hi ds_write_b96>ds_store_b96 ds_wrxchg2_rtn_b32>ds_storexchg_2addr_rtn_b32
    ds_wrxchg2_rtn_b64>ds_storexchg_2addr_rtn_b64 ds_wrxchg2st64_rtn_b32>ds_storexchg_2addr_stride64_rtn_b32
    ds_wrxchg2st64_rtn_b64>ds_storexchg_2addr_stride64_rtn_b64 ds_wrxchg_rtn_b32>ds_storexchg_rtn_b32
    ds_wrxchg_rtn_b64>ds_storexchg_rtn_b64 flat_atomic_add>flat_atomic_add_u32 flat_atomic_add_x2>flat_atomic_add_u64
    flat_atomic_and>flat_atomic_and_b32 flat_atomic_and_x2>flat_atomic_and_b64 flat_atomic_cmpswap>flat_atomic_cmpswap_b32
    flat_atomic_cmpswap_x2>flat_atomic_cmpswap_b64 flat_atomic_dec>flat_atomic_dec_u32 flat_atomic_dec_x2>flat_atomic_dec_u64
    flat_atomic_inc>flat_atomic_inc_u32 flat_atomic_inc_x2>flat_atomic_inc_u64 flat_atomic_or>flat_atomic_or_b32
    flat_atomic_or_x2>flat_atomic_or_b64 flat_atomic_smax>flat_atomic_max_i32 flat_atomic_smax_x2>flat_atomic_max_i64
    flat_atomic_smin>flat_atomic_min_i32 flat_atomic_smin_x2>flat_atomic_min_i64 flat_atomic_sub>flat_atomic_sub_u32
    flat_atomic_sub_x2>flat_atomic_sub_u64 flat_atomic_swap>flat_atomic_swap_b32 flat_atomic_swap_x2>flat_atomic_swap_b64
    flat_atomic_umax>flat_atomic_max_u32 flat_atomic_umax_x2>flat_atomic_max_u64 flat_atomic_umin>flat_atomic_min_u32
    flat_atomic_umin_x2>flat_atomic_min_u64 flat_atomic_xor>flat_atomic_xor_b32 flat_atomic_xor_x2>flat_atomic_xor_b64
    flat_load_dword>flat_load_b32 flat_load_dwordx2>flat_load_b64 flat_load_dwordx3>flat_load_b96
    flat_load_dwordx4>flat_load_b128 flat_load_sbyte>flat_load_i8 flat_load_sbyte_d16>flat_load_d16_i8
    flat_load_sbyte_d16_hi>flat_load_d16_hi_i8 flat_load_short_d16>flat_load_d16_b16
    flat_load_short_d16_hi>flat_load_d16_hi_b16 flat_load_sshort>flat_load_i16 flat_load_ubyte>flat_load_u8
    flat_load_ubyte_d16>flat_load_d16_u8 flat_load_ubyte_d16_hi>flat_load_d16_hi_u8 flat_load_ushort>flat_load_u16
    flat_store_byte>flat_store_b8 flat_store_byte_d16_hi>flat_store_d16_hi_b8 flat_store_dword>flat_store_b32
    flat_store_dwordx2>flat_store_b64 flat_store_dwordx3>flat_store_b96 flat_store_dwordx4>flat_store_b128
    flat_store_short>flat_store_b16 flat_store_short_d16_hi>flat_store_d16_hi_b16 global_atomic_add>global_atomic_add_u32
    global_atomic_add_x2>global_atomic_add_u64 global_atomic_and>global_atomic_and_b32
    global_atomic_and_x2>global_atomic_and_b64 global_atomic_cmpswap>global_atomic_cmpswap_b32
    global_atomic_cmpswap_x2>global_atomic_cmpswap_b64 global_atomic_dec>global_atomic_dec_u32
    global_atomic_dec_x2>global_atomic_dec_u64 global_atomic_inc>global_atomic_inc_u32
    global_atomic_inc_x2>global_atomic_inc_u64 global_atomic_or>global_atomic_or_b32 global_atomic_or_x2>global_atomic_or_b64
    global_atomic_smax>global_atomic_max_i32 global_atomic_smax_x2>global_atomic_max_i64
    global_atomic_smin>global_atomic_min_i32 global_atomic_smin_x2>global_atomic_min_i64
    global_atomic_sub>global_atomic_sub_u32 global_atomic_sub_x2>global_atomic_sub_u64
    global_atomic_swap>global_atomic_swap_b32 global_atomic_swap_x2>global_atomic_swap_b64
    global_atomic_umax>global_atomic_max_u32 global_atomic_umax_x2>global_atomic_max_u64
    global_atomic_umin>global_atomic_min_u32 global_atomic_umin_x2>global_atomic_min_u64
    global_atomic_xor>global_atomic_xor_b32 global_atomic_xor_x2>global_atomic_xor_b64 global_load_dword>global_load_b32
    global_load_dword_addtid>global_load_addtid_b32 global_load_dwordx2>global_load_b64 global_load_dwordx3>global_load_b96
    global_load_dwordx4>global_load_b128 global_load_sbyte>global_load_i8 global_load_sbyte_d16>global_load_d16_i8
    global_load_sbyte_d16_hi>global_load_d16_hi_i8 global_load_short_d16>global_load_d16_b16
    global_load_short_d16_hi>global_load_d16_hi_b16 global_load_sshort>global_load_i16 global_load_ubyte>global_load_u8
    global_load_ubyte_d16>global_load_d16_u8 global_load_ubyte_d16_hi>global_load_d16_hi_u8 global_load_ushort>global_load_u16
    global_store_byte>global_store_b8 global_store_byte_d16_hi>global_store_d16_hi_b8 global_store_dword>global_store_b32
    global_store_dword_addtid>global_store_addtid_b32 global_store_dwordx2>global_store_b64
    global_store_dwordx3>global_store_b96 global_store_dwordx4>global_store_b128 global_store_short>global_store_b16
    global_store_short_d16_hi>global_store_d16_hi_b16 s_andn1_saveexec_b32>s_and_not0_saveexec_b32
    s_andn1_saveexec_b64>s_and_not0_saveexec_b64 s_andn1_wrexec_b32>s_and_not0_wrexec_b32
    s_andn1_wrexec_b64>s_and_not0_wrexec_b64 s_andn2_b32>s_and_not1_b32 s_andn2_b64>s_and_not1_b64
    s_andn2_saveexec_b32>s_and_not1_saveexec_b32 s_andn2_saveexec_b64>s_and_not1_saveexec_b64
    s_andn2_wrexec_b32>s_and_not1_wrexec_b32 s_andn2_wrexec_b64>s_and_not1_wrexec_b64 s_buffer_load_dword>s_buffer_load_b32
    s_buffer_load_dwordx16>s_buffer_load_b512 s_buffer_load_dwordx2>s_buffer_load_b64 s_buffer_load_dwordx4>s_buffer_load_b128
    s_buffer_load_dwordx8>s_buffer_load_b256 s_ff1_i32_b32>s_ctz_i32_b32 s_ff1_i32_b64>s_ctz_i32_b64 s_flbit_i32>s_cls_i32
    s_flbit_i32_b32>s_clz_i32_u32 s_flbit_i32_b64>s_clz_i32_u64 s_flbit_i32_i64>s_cls_i32_i64 s_load_dword>s_load_b32
    s_load_dwordx16>s_load_b512 s_load_dwordx2>s_load_b64 s_load_dwordx4>s_load_b128 s_load_dwordx8>s_load_b256
    s_orn1_saveexec_b32>s_or_not0_saveexec_b32 s_orn1_saveexec_b64>s_or_not0_saveexec_b64 s_orn2_b32>s_or_not1_b32
    s_orn2_b64>s_or_not1_b64 s_orn2_saveexec_b32>s_or_not1_saveexec_b32 s_orn2_saveexec_b64>s_or_not1_saveexec_b64
    scratch_load_dword>scratch_load_b32 scratch_load_dwordx2>scratch_load_b64 scratch_load_dwordx3>scratch_load_b96
    scratch_load_dwordx4>scratch_load_b128 scratch_load_sbyte>scratch_load_i8 scratch_load_sbyte_d16>scratch_load_d16_i8
    scratch_load_sbyte_d16_hi>scratch_load_d16_hi_i8 scratch_load_short_d16>scratch_load_d16_b16
    scratch_load_short_d16_hi>scratch_load_d16_hi_b16 scratch_load_sshort>scratch_load_i16 scratch_load_ubyte>scratch_load_u8
    scratch_load_ubyte_d16>scratch_load_d16_u8 scratch_load_ubyte_d16_hi>scratch_load_d16_hi_u8
    scratch_load_ushort>scratch_load_u16 scratch_store_byte>scratch_store_b8 scratch_store_byte_d16_hi>scratch_store_d16_hi_b8
    scratch_store_dword>scratch_store_b32 scratch_store_dwordx2>scratch_store_b64 scratch_store_dwordx3>scratch_store_b96
    scratch_store_dwordx4>scratch_store_b128 scratch_store_short>scratch_store_b16
    scratch_store_short_d16_hi>scratch_store_d16_hi_b16 v_add_i32>v_add_nc_i32 v_add_u32>v_add_nc_u32
    v_cvt_flr_i32_f32>v_cvt_floor_i32_f32 v_cvt_pknorm_i16_f16>v_cvt_pk_norm_i16_f16
    v_cvt_pknorm_i16_f32>v_cvt_pk_norm_i16_f32 v_cvt_pknorm_u16_f16>v_cvt_pk_norm_u16_f16
    v_cvt_pknorm_u16_f32>v_cvt_pk_norm_u16_f32 v_cvt_pkrtz_f16_f32>v_cvt_pk_rtz_f16_f32
    v_cvt_rpi_i32_f32>v_cvt_nearest_i32_f32 v_dot4_i32_i8>v_dot4_i32_iu8 v_dot8_i32_i4>v_dot8_i32_iu4 v_ffbh_i32>v_cls_i32
    v_ffbh_u32>v_clz_i32_u32 v_ffbl_b32>v_ctz_i32_b32 v_fma_legacy_f32>v_fma_dx9_zero_f32 v_mul_legacy_f32>v_mul_dx9_zero_f32
    v_sub_i32>v_sub_nc_i32 v_sub_u32>v_sub_nc_u32 v_subrev_u32>v_subrev_nc_u32
    `,
  ],
  [
    ['gfx11', 'gfx12'],
    `
    buffer_load_format_d16_hi_x>buffer_load_d16_hi_format_x buffer_load_format_d16_x>buffer_load_d16_format_x
    buffer_load_format_d16_xy>buffer_load_d16_format_xy buffer_load_format_d16_xyz>buffer_load_d16_format_xyz
    buffer_load_format_d16_xyzw>buffer_load_d16_format_xyzw buffer_store_format_d16_hi_x>buffer_store_d16_hi_format_x
    buffer_store_format_d16_x>buffer_store_d16_format_x buffer_store_format_d16_xy>buffer_store_d16_format_xy
    buffer_store_format_d16_xyz>buffer_store_d16_format_xyz buffer_store_format_d16_xyzw>buffer_store_d16_format_xyzw
    tbuffer_load_format_d16_x>tbuffer_load_d16_format_x tbuffer_load_format_d16_xy>tbuffer_load_d16_format_xy
    tbuffer_load_format_d16_xyz>tbuffer_load_d16_format_xyz tbuffer_load_format_d16_xyzw>tbuffer_load_d16_format_xyzw
    tbuffer_store_format_d16_x>tbuffer_store_d16_format_x tbuffer_store_format_d16_xy>tbuffer_store_d16_format_xy
    tbuffer_store_format_d16_xyz>tbuffer_store_d16_format_xyz tbuffer_store_format_d16_xyzw>tbuffer_store_d16_format_xyzw
    `,
  ],
  [
    ['gfx11'],
    `
    buffer_atomic_csub>buffer_atomic_csub_u32 buffer_atomic_fcmpswap>buffer_atomic_cmpswap_f32
    buffer_atomic_fmax>buffer_atomic_max_f32 buffer_atomic_fmin>buffer_atomic_min_f32
    flat_atomic_fcmpswap>flat_atomic_cmpswap_f32 flat_atomic_fmax>flat_atomic_max_f32 flat_atomic_fmin>flat_atomic_min_f32
    global_atomic_csub>global_atomic_csub_u32 global_atomic_fcmpswap>global_atomic_cmpswap_f32
    global_atomic_fmax>global_atomic_max_f32 global_atomic_fmin>global_atomic_min_f32
    s_inst_prefetch>s_set_inst_prefetch_distance v_cmp_tru_f16>v_cmp_t_f16 v_cmp_tru_f32>v_cmp_t_f32 v_cmp_tru_f64>v_cmp_t_f64
    v_cmpx_tru_f16>v_cmpx_t_f16 v_cmpx_tru_f32>v_cmpx_t_f32 v_cmpx_tru_f64>v_cmpx_t_f64 v_dot2c_f32_f16>v_dot2acc_f32_f16
    v_fmac_legacy_f32>v_fmac_dx9_zero_f32
    `,
  ],
  [
    ['gfx12', 'gfx1250'],
    `
    buffer_atomic_csub>buffer_atomic_sub_clamp_u32 buffer_atomic_csub_u32>buffer_atomic_sub_clamp_u32
    buffer_atomic_fmax>buffer_atomic_max_num_f32 buffer_atomic_fmin>buffer_atomic_min_num_f32
    buffer_atomic_max_f32>buffer_atomic_max_num_f32 buffer_atomic_min_f32>buffer_atomic_min_num_f32 ds_max_f32>ds_max_num_f32
    ds_max_f64>ds_max_num_f64 ds_max_rtn_f32>ds_max_num_rtn_f32 ds_max_rtn_f64>ds_max_num_rtn_f64 ds_min_f32>ds_min_num_f32
    ds_min_f64>ds_min_num_f64 ds_min_rtn_f32>ds_min_num_rtn_f32 ds_min_rtn_f64>ds_min_num_rtn_f64
    flat_atomic_fmax>flat_atomic_max_num_f32 flat_atomic_fmin>flat_atomic_min_num_f32
    flat_atomic_max_f32>flat_atomic_max_num_f32 flat_atomic_min_f32>flat_atomic_min_num_f32
    global_atomic_csub>global_atomic_sub_clamp_u32 global_atomic_csub_u32>global_atomic_sub_clamp_u32
    global_atomic_fmax>global_atomic_max_num_f32 global_atomic_fmin>global_atomic_min_num_f32
    global_atomic_max_f32>global_atomic_max_num_f32 global_atomic_min_f32>global_atomic_min_num_f32 s_add_i32>s_add_co_i32
    s_add_u32>s_add_co_u32 s_add_u64>s_add_nc_u64 s_addc_u32>s_add_co_ci_u32 s_addk_i32>s_addk_co_i32 s_max_f16>s_max_num_f16
    s_max_f32>s_max_num_f32 s_min_f16>s_min_num_f16 s_min_f32>s_min_num_f32 s_sub_i32>s_sub_co_i32 s_sub_u32>s_sub_co_u32
    s_sub_u64>s_sub_nc_u64 s_subb_u32>s_sub_co_ci_u32 s_waitcnt_depctr>s_wait_alu v_mad_i64_i32>v_mad_co_i64_i32
    v_mad_u64_u32>v_mad_co_u64_u32 v_max3_f16>v_max3_num_f16 v_max3_f32>v_max3_num_f32 v_max_f16>v_max_num_f16
    v_max_f32>v_max_num_f32 v_max_f64>v_max_num_f64 v_maxmin_f16>v_maxmin_num_f16 v_maxmin_f32>v_maxmin_num_f32
    v_med3_f16>v_med3_num_f16 v_med3_f32>v_med3_num_f32 v_min3_f16>v_min3_num_f16 v_min3_f32>v_min3_num_f32
    v_min_f16>v_min_num_f16 v_min_f32>v_min_num_f32 v_min_f64>v_min_num_f64 v_minmax_f16>v_minmax_num_f16
    v_minmax_f32>v_minmax_num_f32 v_pk_max_f16>v_pk_max_num_f16 v_pk_min_f16>v_pk_min_num_f16
    `,
  ],
  [
    ['gfx12'],
    `
    ds_bvh_stack_rtn_b32>ds_bvh_stack_push4_pop1_rtn_b32 exp>export image_atomic_add>image_atomic_add_uint
    image_atomic_dec>image_atomic_dec_uint image_atomic_fmax>image_atomic_max_flt image_atomic_fmin>image_atomic_min_flt
    image_atomic_inc>image_atomic_inc_uint image_atomic_smax>image_atomic_max_int image_atomic_smin>image_atomic_min_int
    image_atomic_sub>image_atomic_sub_uint image_atomic_umax>image_atomic_max_uint image_atomic_umin>image_atomic_min_uint
    lds_direct_load>ds_direct_load lds_param_load>ds_param_load
    `,
  ],
  [
    ['gfx1250'],
    `
    buffer_atomic_max_f64>buffer_atomic_max_num_f64 buffer_atomic_min_f64>buffer_atomic_min_num_f64
    flat_atomic_max_f64>flat_atomic_max_num_f64 flat_atomic_min_f64>flat_atomic_min_num_f64
    global_atomic_max_f64>global_atomic_max_num_f64 global_atomic_min_f64>global_atomic_min_num_f64
    global_load_tr_b128>global_load_tr16_b128 global_load_tr_b64>global_load_tr8_b64 s_call_b64>s_call_i64
    s_getpc_b64>s_get_pc_i64 s_rfe_b64>s_rfe_i64 s_setpc_b64>s_set_pc_i64 s_swappc_b64>s_swap_pc_i64
    `,
  ],
];

/**
 * Names that a family (`gfx9`, `gfx11`, `gfx12`, `gfx1250`) has now, by the ones of earlier generations. Source: LLVM's mnemonic aliases.
 */
export function renamedMnemonics(family: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [families, pairs] of RENAMED) {
    if (!families.includes(family)) continue;
    for (const [, before = '', now = ''] of pairs.matchAll(/(\w+)>(\w+)/g)) names.set(before, now);
  }
  return names;
}
