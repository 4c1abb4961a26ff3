/**
 * Names by which generations know the same operation. A meaning is written once: under the name of gfx11 for what older generations
 * call otherwise, and for what gfx12 renamed. The renamings that assemblers read as well are the isa package's.
 */
import { renamedMnemonics } from '@doorbell/isa';

/** Loads from memory into LDS, by their endings. */
const LDS_LOADS: readonly (readonly [older: string, newer: string])[] = [
  ['ubyte', 'u8'],
  ['sbyte', 'i8'],
  ['ushort', 'u16'],
  ['sshort', 'i16'],
  ['dword', 'b32'],
  ['dwordx3', 'b96'],
  ['dwordx4', 'b128'],
];

const VECTOR_NAMES: readonly (readonly [older: string, newer: string])[] = [
  ['v_add_u16', 'v_add_nc_u16'],
  ['v_sub_u16', 'v_sub_nc_u16'],
  ['v_add_i16', 'v_add_nc_i16'],
  ['v_sub_i16', 'v_sub_nc_i16'],
  ['v_addc_co_u32', 'v_add_co_ci_u32'],
  ['v_subb_co_u32', 'v_sub_co_ci_u32'],
  ['v_subbrev_co_u32', 'v_subrev_co_ci_u32'],
  ['v_mad_legacy_u16', 'v_mad_u16'],
  ['v_mad_legacy_i16', 'v_mad_i16'],
  ['v_fma_legacy_f16', 'v_fma_f16'],
  ['v_div_fixup_legacy_f16', 'v_div_fixup_f16'],
];

/** Other names of the same operation: pairs of an older and a newer one. */
export function* otherNames(): Generator<readonly [older: string, newer: string]> {
  for (const family of ['gfx11', 'gfx12', 'gfx1250']) yield* renamedMnemonics(family);
  yield* VECTOR_NAMES;
  for (const [older, newer] of LDS_LOADS) {
    for (const space of ['global', 'scratch']) yield [`${space}_load_lds_${older}`, `${space}_load_lds_${newer}`];
  }
  for (const operation of ['min', 'max', 'cmpswap']) {
    for (const space of ['global', 'flat', 'buffer']) {
      yield [`${space}_atomic_f${operation}_x2`, `${space}_atomic_${operation}_f64`];
    }
  }
  for (const operation of ['exp', 'log', 'rcp', 'rsq', 'sqrt']) {
    for (const type of ['f16', 'f32']) yield [`v_${operation}_${type}`, `v_s_${operation}_${type}`];
  }
}
