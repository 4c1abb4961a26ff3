/** Dispatches of the kernels that the benches compile. */
import type { Dispatch } from '../src/executor.js';
import { Machine, packArguments } from '../test/execute/machine.js';

/** Work-items of the one workgroup. */
const ITEMS = 256;
/** In an AQL packet: workgroup_size_x (hsa.h). */
const PACKET_GROUP_X = 4;

/** A machine with an object of compile.c, and a dispatch of a kernel of it. */
export function loadKernel(object: Uint8Array, kernel: string): { readonly machine: Machine; readonly dispatch: Dispatch } {
  const machine = new Machine();
  machine.load(object);
  const [out, input, packet] = [machine.allocate(ITEMS * 64), machine.allocate(ITEMS * 64), machine.allocate(64)];
  machine.view.setUint16(machine.offset(packet) + PACKET_GROUP_X, ITEMS, true);
  const kernarg = packArguments([out, input, ITEMS, ITEMS - 1]);
  return { machine, dispatch: machine.dispatch(kernel, [ITEMS], [ITEMS], kernarg, { packetAddress: packet }) };
}
