/** Branches, messages and the instructions without effect (semantics.md §1, §3, §11, §17, §19). */
import { controlOf } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import { SGPR_EXEC, SGPR_M0, SGPR_VCC } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { WAVE_REQUEST } from '../ir/wave-request.js';
import type { Operation, Semantic } from './operation.js';
import { BARRIERS } from './barriers.js';
import { HARDWARE_REGISTERS } from './hardware-registers.js';
import { encodeMode } from './mode-register.js';
import { signed16 } from './salu-arithmetic.js';
import { requestFor } from './wave-request.js';

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

const nothing: Semantic = () => undefined;

const notExecutable =
  (reason: string): Semantic =>
  (o) =>
    o.unsupported(reason);

/** GPU address of the instruction after this one. */
function setReturnAddress(o: Operation): void {
  if (o.results.length > 0) o.set64(o.b.codeAddress(o.b.nextPc));
}

/** Messages (LLVM AMDGPU, SIDefines.h, namespace SendMsg). */
const MSG_INTERRUPT = 1;
const MSG_DEALLOC_VGPRS = 3;
const MSG_RTN_GET_REALTIME = 0x83;
const MSG_RTN_GET_SE_AID_ID = 0x87;

/** An indirect jump, which takes MODE along. */
function leave({ b }: Operation, target: Value): void {
  b.exit({ kind: 'indirect', target, mode: b.i32(encodeMode(b.mode)) });
}

export const CONTROL: Readonly<Record<string, Semantic>> = {
  s_branch: (o) => {
    o.b.exit({ kind: 'jump', to: target(o) });
  },
  s_cbranch_scc0: branch((b) => b.op('not', b.scc())),
  s_cbranch_scc1: branch((b) => b.scc()),
  s_cbranch_vccz: branch((b) => b.maskIsZero(SGPR_VCC)),
  s_cbranch_vccnz: branch((b) => b.op('not', b.maskIsZero(SGPR_VCC))),
  s_cbranch_execz: branch((b) => b.maskIsZero(SGPR_EXEC)),
  s_cbranch_execnz: branch((b) => b.op('not', b.maskIsZero(SGPR_EXEC))),
  // The debug flags are 0 without a debugger.
  s_cbranch_cdbgsys: nothing,
  s_cbranch_cdbguser: nothing,
  s_cbranch_cdbgsys_or_user: nothing,
  s_cbranch_cdbgsys_and_user: nothing,
  s_getpc_b64: setReturnAddress,
  s_setpc_b64: (o) => {
    leave(o, o.u64(0));
  },
  s_swappc_b64: (o) => {
    const to = o.u64(0);
    setReturnAddress(o);
    leave(o, to);
  },
  s_add_pc_i64: (o) => {
    const { b } = o;
    const offset = o.u64(0);
    // What follows code from one instruction to the next does not look through registers.
    const isFixed = controlOf(o.instruction).kind === 'jump';
    if (isFixed && offset.kind === 'const') b.exit({ kind: 'jump', to: b.nextPc + (offset.low | 0) });
    else leave(o, b.op('add64', b.codeAddress(b.nextPc), offset));
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
  ...HARDWARE_REGISTERS,
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
    const { b, generation } = o;
    const message = o.immediate('simm16') & 0xff;
    if (message === MSG_INTERRUPT) requestFor(o, WAVE_REQUEST.interrupt, b.sgpr(SGPR_M0), undefined);
    // A hint that the wave needs its vector registers no more.
    else if (message !== MSG_DEALLOC_VGPRS || !generation.isGfx11OrLater) o.unsupported(`message ${message}`);
  },
  s_sendmsg_rtn_b64: (o) => {
    const message = o.immediate('src0') & 0xff;
    if (message !== MSG_RTN_GET_REALTIME) o.unsupported(`message ${message}`);
    o.set64(o.b.clock('realtime'));
  },
  s_sendmsg_rtn_b32: (o) => {
    const message = o.immediate('src0') & 0xff;
    // Shader engine and die: there is one of each.
    if (message !== MSG_RTN_GET_SE_AID_ID || !o.generation.isGfx12OrLater) o.unsupported(`message ${message}`);
    o.set32(o.b.i32(0));
  },
  s_get_shader_cycles_u64: (o) => {
    o.set64(o.b.clock('cycles'));
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
