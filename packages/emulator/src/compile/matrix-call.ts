/** A matrix instruction in a block: operands go through the matrix area of the control block, a function does the rest. */
import type { MatrixNode } from '../ir/block.js';
import { OP, V128 } from '../wasm/opcodes.js';
import type { MemoryContext } from './access-parts.js';
import type { Lowering } from './lowering.js';
import { matrixArea } from './matrix-area.js';

/** Follows the facts of a matrix instruction, or with a context emits it. */
export function lowerMatrix(lowering: Lowering, context: MemoryContext | undefined, node: MatrixNode): void {
  const { lanes, dag } = lowering;
  const { op, args } = node;
  if (context === undefined) {
    lowering.setMatrix(
      node,
      Array.from({ length: op.d.registers }, () => lanes.vector([])),
    );
    return;
  }
  const { body, control } = context;
  const area = matrixArea(op);
  const registerBytes = op.waveSize * 4;
  for (const [n, arg] of args.entries()) {
    for (const [group, value] of lanes.groups(lowering.forced(arg)).entries()) {
      dag.use(value);
      body.get(control);
      dag.emit(value);
      body.access(OP.v128Store, 2, area.operands + n * registerBytes + group * 16);
    }
  }
  body.get(control);
  body.call(context.matrixFunction(op));
  const results = Array.from({ length: op.d.registers }, (_, register) => {
    const groups = Array.from({ length: op.waveSize / 4 }, (_unused, group) => {
      body.get(control);
      body.access(OP.v128Load, 2, area.result + register * registerBytes + group * 16);
      return dag.fromStack(V128);
    });
    return lanes.vector(groups);
  });
  lowering.setMatrix(node, results);
}
