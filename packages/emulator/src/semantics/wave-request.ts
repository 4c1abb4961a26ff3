/** How instructions ask the executor for what compiled code cannot do. */
import type { Value } from '../ir/block.js';
import { encodeOperation, NO_REGISTER } from '../ir/wave-request.js';
import type { Operation } from './operation.js';

/** Ends the block; the executor changes `register` or SCC, which nothing is known of until then. */
export function requestFor(o: Operation, operation: number, about: Value, result: 'scc' | number | undefined): void {
  const { b } = o;
  const unknown = (): Value => b.op('low64', b.clock('cycles'));
  if (result === 'scc') b.setScc(b.op('eq32', b.op('and32', unknown(), b.i32(1)), b.i32(1)));
  else if (result !== undefined) b.setSgpr(result, unknown());
  const operationWord = b.i32(encodeOperation(operation, typeof result === 'number' ? result : NO_REGISTER));
  b.exit({ kind: 'request', request: b.op('pack64', about, operationWord), to: b.nextPc });
}
