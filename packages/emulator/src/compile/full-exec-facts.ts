/** What the test that EXEC is full after a block says about other registers: a mask that was taken out of EXEC is empty. */
import type { Block, Value } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';

/** SGPRs that hold 0 or -1 after the block if every bit of EXEC is 1 then. */
export function impliedByFullExec(ir: Block): ReadonlyMap<number, 0 | -1> {
  const known = new Map<Value, 0 | -1>();
  const written = (index: number): Value | undefined =>
    ir.writes.find((write) => write.file === 'sgpr' && write.index === index)?.value;
  const [low, high] = [written(SGPR_EXEC), written(SGPR_EXEC + 1)];
  for (const exec of [low, high]) if (exec !== undefined) mark(exec, -1, known);
  const whole = wholeOf(low);
  if (whole !== undefined && whole === wholeOf(high)) mark(whole, -1, known);
  const result = new Map<number, 0 | -1>();
  for (const [node, value] of known) if (node.kind === 'read' && node.file === 'sgpr') result.set(node.index, value);
  for (const write of ir.writes) {
    if (write.file !== 'sgpr') continue;
    const value = known.get(write.value) ?? known.get(wholeOf(write.value) ?? write.value);
    if (value === undefined) result.delete(write.index);
    else result.set(write.index, value);
  }
  return result;
}

/** The 64-bit value that a node is a half of. */
function wholeOf(node: Value | undefined): Value | undefined {
  return node?.kind === 'op' && (node.op === 'low64' || node.op === 'high64') ? node.args[0] : undefined;
}

/** All bits of a node are 0, or all are 1. */
function mark(node: Value, value: 0 | -1, known: Map<Value, 0 | -1>): void {
  if (known.has(node)) return;
  known.set(node, value);
  if (node.kind !== 'op') return;
  const [a, b] = node.args;
  if (a === undefined || b === undefined) return;
  const isAnd = node.op === 'and32' || node.op === 'and64';
  const isOr = node.op === 'or32' || node.op === 'or64';
  if ((isAnd && value === -1) || (isOr && value === 0) || node.op === 'pack64') {
    mark(a, value, known);
    mark(b, value, known);
  } else if ((node.op === 'xor32' || node.op === 'xor64') && isAllOnes(b)) mark(a, value === 0 ? -1 : 0, known);
}

function isAllOnes(node: Value): boolean {
  return node.kind === 'const' && node.low === 0xffff_ffff && (node.type === 'i32' || node.high === 0xffff_ffff);
}
