/** Reads `nodes/<N>/perf` (amdkfd kfd_topology.c): there only when the kernel counts events of the IOMMU. */
import type { SysfsSource } from '@doorbell/abi';
import type { Outcome } from './properties-file.js';
import { malformed, readNumber, readPage } from './properties-file.js';
import type { PerformanceBlock, TopologyProblem } from './topology-types.js';

/** More blocks than any chip has: a bound against hostile trees. */
const MAX_BLOCKS = 256;
const MAX_U32 = 0xffff_ffff;

/** All readable blocks; the others become problems. */
export function readPerformanceBlocks(
  source: SysfsSource,
  path: string,
  problems: TopologyProblem[],
): readonly PerformanceBlock[] {
  const names = source.list(path);
  if (!names.ok) {
    if (names.errno !== 'ENOENT') {
      problems.push({ kind: 'unreadable', path, reason: `listing ${path} failed with ${names.errno}`, errno: names.errno });
    }
    return [];
  }
  return names.value.slice(0, MAX_BLOCKS).flatMap((name): readonly PerformanceBlock[] => {
    const block = readBlock(source, { path: `${path}/${name}`, name });
    if (block.ok) return [block.value];
    problems.push(block.problem);
    return [];
  });
}

function readBlock(
  source: SysfsSource,
  { path, name }: { readonly path: string; readonly name: string },
): Outcome<PerformanceBlock> {
  const maxConcurrent = readNumber(source, `${path}/max_concurrent`);
  if (!maxConcurrent.ok) return maxConcurrent;
  const numCounters = readNumber(source, `${path}/num_counters`);
  if (!numCounters.ok) return numCounters;
  const ids = readPage(source, `${path}/counter_ids`);
  if (!ids.ok) return ids;
  const counterIds = ids.value
    .split(/[\s,]+/)
    .filter((id) => id !== '')
    .map(Number);
  const numbers = [Number(maxConcurrent.value), Number(numCounters.value), ...counterIds];
  if (numbers.some((id) => !Number.isInteger(id) || id < 0 || id > MAX_U32))
    return malformed(path, `${path} has numbers that are none`);
  return {
    ok: true,
    value: { name, maxConcurrent: Number(maxConcurrent.value), numCounters: Number(numCounters.value), counterIds },
  };
}
