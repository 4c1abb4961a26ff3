/**
 * Where VGPR operands may not mean the registers that their encodings name: under s_set_gpr_idx_on (gfx9), and after s_set_vgpr_msb
 * with anything but zeros (gfx1250).
 */
import type { ControlFlow, FlowBlock } from './control-flow-types.js';
import type { Instruction } from '../instruction.js';

/** State after the instruction, given the state before it. */
export function movesOperands(instruction: Instruction, before: boolean): boolean {
  switch (instruction.name) {
    case 's_set_gpr_idx_on':
      return true;
    case 's_set_gpr_idx_off':
      return false;
    case 's_set_vgpr_msb':
      return ((instruction.operand('simm16')?.value ?? 0) & 0xff) !== 0;
    default:
      return before;
  }
}

function changesMeaning({ name }: Instruction): boolean {
  return name.startsWith('s_set_gpr_idx_o') || name === 's_set_vgpr_msb';
}

/** By block: whether operands may be moved when it begins. Calls neither get nor leave that state, as compilers have it. */
export function findMoved(flow: ControlFlow): Uint8Array {
  const moved = new Uint8Array(flow.blocks.length);
  // What a block does to the state: undefined leaves it.
  const effects = flow.blocks.map((block) => effectOf(block));
  if (!effects.includes(true)) return moved;
  const todo = flow.blocks.filter((_, index) => effects[index] === true);
  for (let block = todo.pop(); block !== undefined; block = todo.pop()) {
    if (block.exit.kind === 'call') continue;
    for (const { to } of block.successors) {
      if (moved[to] === 1) continue;
      moved[to] = 1;
      const next = flow.blocks[to];
      if (next && effects[to] === undefined) todo.push(next);
    }
  }
  return moved;
}

function effectOf(block: FlowBlock): boolean | undefined {
  for (let index = block.instructions.length - 1; index >= 0; index--) {
    const instruction = block.instructions[index]?.instruction;
    if (instruction && changesMeaning(instruction)) return movesOperands(instruction, false);
  }
  return undefined;
}
