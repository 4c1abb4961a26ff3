/** Masks of lanes that follow from EXEC at a block's entry. */
import { SGPR_EXEC, type Value } from '../ir/block.js';

/** EXEC at block entry, as one bool per lane. */
export function isExecMask(value: Value): boolean {
  if (value.kind !== 'op' || value.op !== 'inverseBallot') return false;
  const [whole] = value.args;
  if (whole?.kind !== 'op' || whole.op !== 'pack64') return false;
  const [low, high] = whole.args;
  const isRead = (part: Value | undefined, index: number): boolean =>
    part?.kind === 'read' && part.file === 'sgpr' && part.index === index;
  return isRead(low, SGPR_EXEC) && (isRead(high, SGPR_EXEC + 1) || high?.kind === 'const');
}

/** The mask is EXEC at entry, or that and something else. */
export function isUnderExec(mask: Value): boolean {
  if (isExecMask(mask)) return true;
  return mask.kind === 'op' && mask.op === 'and' && mask.args.some((arg) => isUnderExec(arg));
}
