/**
 * Where compiled code finds what it needs, as offsets in a worker's slice of the state: the control block, and one slot for each wave
 * that was interrupted. The executor fills the control block; see execute/group-memory.ts.
 */

/** The control block, at the start of the slice. All i32 unless said. */
export const CONTROL_FUEL = 0;
/** {@link EXIT_NONE} … of the call. */
export const CONTROL_EXIT = 4;
/** The wave being run: for fault reports. */
export const CONTROL_WAVE = 8;
/** Byte offset of the instruction that ended the call, for exits that name one. */
export const CONTROL_PC = 12;
export const CONTROL_SLOTS = 16;
export const CONTROL_SLOT_BYTES = 20;
export const CONTROL_LDS = 24;
export const CONTROL_LDS_BYTES = 28;
export const CONTROL_WAVES_PER_GROUP = 32;
/** Workgroups of the dispatch in x and y. */
export const CONTROL_GROUPS_X = 36;
export const CONTROL_GROUPS_Y = 40;
/** Work-items of the workgroup. */
export const CONTROL_GROUP_ITEMS = 44;
/** Three dwords: work-items of the grid. */
export const CONTROL_GRID = 48;
/** Three dwords: work-items of a workgroup. */
export const CONTROL_WORKGROUP = 60;
/** Private memory: base of wave 0's, bytes a lane. */
export const CONTROL_PRIVATE = 72;
export const CONTROL_PRIVATE_BYTES = 76;
/** The access that is under way or failed: instruction, kind, lane, and i64 address; see fault-record.ts. */
export const CONTROL_FAULT_PC = 80;
export const CONTROL_FAULT_ACCESS = 84;
export const CONTROL_FAULT_LANE = 88;
export const CONTROL_FAULT_ADDRESS = 112;
/** The group driver: workgroup, entry block and wave at which it stopped. */
export const CONTROL_DRIVER_GROUP = 96;
export const CONTROL_DRIVER_ENTRY = 100;
export const CONTROL_DRIVER_WAVE = 104;
/** Values of {@link CONTROL_DRIVER_ENTRY} that are no block: between workgroups; waves in different states. */
export const DRIVER_CLEAN = -1;
export const DRIVER_MIXED = -2;
/** 32 user SGPRs. */
export const CONTROL_USER_SGPRS = 128;
/** Packed work-item ids of the workgroup: one dword an item. */
export const CONTROL_ITEM_IDS = 2048;
/** Lane areas through which values pass to and from functions: dwords of up to 64 lanes each. */
const CONTROL_LANES = 8192;
export const LANE_AREA_BYTES = 256;
export const AREA_OFFSET: number = CONTROL_LANES;
export const AREA_OFFSET_HIGH: number = CONTROL_LANES + LANE_AREA_BYTES;
export const AREA_DATA: number = CONTROL_LANES + 2 * LANE_AREA_BYTES;
export const AREA_DATA_HIGH: number = CONTROL_LANES + 3 * LANE_AREA_BYTES;
export const AREA_RESULT: number = CONTROL_LANES + 4 * LANE_AREA_BYTES;
export const AREA_RESULT_HIGH: number = CONTROL_LANES + 5 * LANE_AREA_BYTES;
export const AREA_COMPARE: number = CONTROL_LANES + 6 * LANE_AREA_BYTES;
export const AREA_COMPARE_HIGH: number = CONTROL_LANES + 7 * LANE_AREA_BYTES;
export const AREA_SHUFFLE: number = CONTROL_LANES + 8 * LANE_AREA_BYTES;
/** Locals that are defined anew (register-budget.ts): v128s up to the matrix area. */
export const AREA_RENEW: number = CONTROL_LANES + 9 * LANE_AREA_BYTES;
/** Operands and work space of matrix instructions. */
export const AREA_MATRIX = 16_384;
export const AREA_MATRIX_BYTES = 49_152;
export const MAX_RENEWED: number = (AREA_MATRIX - AREA_RENEW) / 16;
/** Lane areas of baseline code, for values between the loops of a block. */
export const CONTROL_TEMPORARIES: number = AREA_MATRIX + AREA_MATRIX_BYTES;
export const MAX_TEMPORARIES = 960;
export const CONTROL_BYTES: number = CONTROL_TEMPORARIES + MAX_TEMPORARIES * LANE_AREA_BYTES;

/** Why a call returned. */
export const EXIT_NONE = 0;
export const EXIT_END = 1;
export const EXIT_BARRIER = 2;
export const EXIT_YIELD = 3;
export const EXIT_INDIRECT = 4;
export const EXIT_TRAP = 5;
export const EXIT_ILLEGAL = 6;
export const EXIT_REQUEST = 7;
/** Control came to a block of baseline code that is not made yet. */
export const EXIT_MISSING = 8;

/** A wave's slot: exit kind, byte offset of the next instruction, then registers. */
export const SLOT_EXIT = 0;
export const SLOT_PC = 4;
/** Two dwords of an indirect target or a request. */
export const SLOT_TARGET = 8;
export const SLOT_TRAP = 16;
/** MODE at an indirect target. */
export const SLOT_MODE = 20;
export const SLOT_SGPRS = 64;
export const SLOT_SCC: number = SLOT_SGPRS + 512;
/** For a register that is held as the high half of a sum: its i64 base. */
export const SLOT_BASES = 640;
/** Vector registers of a wave, accumulation registers included. */
const MAX_VGPRS = 1024;
export const SLOT_VGPRS: number = SLOT_BASES + MAX_VGPRS * 8;

/** Bytes of one wave's slot. */
export function slotBytes(vgprs: number, waveSize: number): number {
  return SLOT_VGPRS + vgprs * waveSize * 4;
}
