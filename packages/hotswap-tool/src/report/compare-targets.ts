import { HsaError } from '@doorbell/abi';
import { parseCodeObject } from '@doorbell/code-object';
import { hasTable } from '@doorbell/isa';
import { identifyTarget } from '../identity.js';
import { type CodeExtent, type CodeRegion, codeRegions, locate } from '../retarget/code-extents.js';
import { FindingList } from '../retarget/finding-list.js';
import { processorOf, relateTargets, type TargetPair } from '../retarget/relation.js';
import type { InstructionObstacle, KernelPortability, Portability, RewriteOptions, TargetComparison } from '../retarget/types.js';
import { calledFunctions } from './called-functions.js';
import { kernelLimits } from './kernel-abi.js';
import { PortabilityJudge } from './portability.js';

/**
 * Which kernels of a code object could run on another target as they are, and which instructions keep the others: a report on what
 * a port between generations would have to do. It changes nothing, and knows nothing of hazards and wait states.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA for bytes that are no code object; ERR_INVALID_ARGUMENT for a name that is no
 * ISA's; ERR_NOT_SUPPORTED for a processor without an instruction table.
 */
export function compareTargets(bytes: Uint8Array, options: RewriteOptions): TargetComparison {
  const codeObject = parseCodeObject(bytes);
  const pair = relateTargets(identifyTarget(codeObject.target), options, new FindingList());
  const [source, target] = [pair.source.target.processor, pair.target.target.processor];
  for (const processor of [source, target]) {
    if (!hasTable(processor)) {
      throw new HsaError('ERR_NOT_SUPPORTED', { message: `no instruction table for ${processor}`, details: { processor } });
    }
  }
  const regions = codeRegions(codeObject).map((region) => new RegionTally(region, pair, codeObject.kernels));
  const total = new Tally();
  for (const region of regions) for (const tally of region.tallies) total.addAll(tally);
  const kernels = codeObject.kernels.map((kernel): KernelPortability => {
    const region = regions.find((one) => one.contains(kernel.entryVaddr));
    const tally = region?.tallyOf(kernel.entryVaddr, kernel.waveSize) ?? new Tally();
    const limits = kernelLimits(kernel, source, target);
    const obstacles = tally.toObstacles();
    return {
      name: kernel.name,
      movesAsIs: limits.length === 0 && obstacles.length === 0 && region !== undefined,
      instructions: tally.instructions,
      counts: tally.counts,
      limits,
      obstacles,
    };
  });
  return { source: pair.source, target: pair.target, kernels, obstacles: total.toObstacles(), counts: total.counts };
}

/** Counts of instructions by how they fare. */
class Tally {
  readonly counts: Record<Portability, number> = { same: 0, 'other-encoding': 0, operands: 0, missing: 0, undecodable: 0 };
  readonly #obstacles = new Map<string, InstructionObstacle>();

  get instructions(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  addSame(): void {
    this.counts.same++;
  }

  add(portability: Exclude<Portability, 'same'>, mnemonic: string, place: () => InstructionObstacle['place']): void {
    this.counts[portability]++;
    const key = `${portability} ${mnemonic}`;
    const known = this.#obstacles.get(key);
    if (known === undefined) this.#obstacles.set(key, { mnemonic, portability, count: 1, place: place() });
    else this.#obstacles.set(key, { ...known, count: known.count + 1 });
  }

  addAll(other: Tally): void {
    for (const obstacle of other.#obstacles.values()) {
      const key = `${obstacle.portability} ${obstacle.mnemonic}`;
      const known = this.#obstacles.get(key);
      this.#obstacles.set(key, known === undefined ? obstacle : { ...known, count: known.count + obstacle.count });
      this.counts[obstacle.portability] += obstacle.count;
    }
    this.counts.same += other.counts.same;
  }

  /** Most frequent first. */
  toObstacles(): readonly InstructionObstacle[] {
    return [...this.#obstacles.values()].sort((a, b) => b.count - a.count);
  }
}

/** The tallies of the functions of one region. */
class RegionTally {
  readonly tallies: readonly Tally[];
  readonly #region: CodeRegion;
  readonly #pair: TargetPair;
  readonly #closures = new Map<number, ReturnType<typeof calledFunctions>>();

  constructor(region: CodeRegion, pair: TargetPair, kernels: readonly { readonly waveSize: 32 | 64 }[]) {
    this.#region = region;
    this.#pair = pair;
    const judges = new Map<number, PortabilityJudge>();
    const usual = kernels[0]?.waveSize ?? processorOf(pair.source).waveSize;
    this.tallies = region.extents.map((extent) => {
      const waveSize = extent.waveSize ?? usual;
      let judge = judges.get(waveSize);
      if (judge === undefined) {
        judge = new PortabilityJudge(pair.source.target.processor, pair.target.target.processor, waveSize);
        judges.set(waveSize, judge);
      }
      return tallyExtent(region, extent, judge);
    });
  }

  contains(vaddr: bigint): boolean {
    return vaddr >= this.#region.vaddr && vaddr < this.#region.vaddr + BigInt(this.#region.bytes.length);
  }

  /** Of a kernel with the functions that it may call. */
  tallyOf(entryVaddr: bigint, waveSize: 32 | 64): Tally {
    let closure = this.#closures.get(waveSize);
    if (closure === undefined) {
      closure = calledFunctions(this.#region, { processor: this.#pair.source.target.processor, waveSize });
      this.#closures.set(waveSize, closure);
    }
    const starts = closure(Number(entryVaddr - this.#region.vaddr));
    const sum = new Tally();
    this.#region.extents.forEach(({ start }, index) => {
      const tally = this.tallies[index];
      if (tally !== undefined && (starts === undefined || starts.has(start))) sum.addAll(tally);
    });
    return sum;
  }
}

function tallyExtent(region: CodeRegion, extent: CodeExtent, judge: PortabilityJudge): Tally {
  const tally = new Tally();
  const code = region.bytes.subarray(0, extent.end);
  for (let offset = extent.start; offset < extent.end; ) {
    const at = offset;
    const place = { symbol: extent.symbol, ...locate(region, at) };
    const decoded = judge.comparison.source.decode(code, offset);
    if (!decoded.ok) {
      tally.add('undecodable', '', () => place);
      offset += decoded.failure.sizeBytes;
      continue;
    }
    const { instruction } = decoded;
    const portability = judge.judge(instruction, code, offset);
    if (portability === 'same') tally.addSame();
    else tally.add(portability, instruction.mnemonic, () => ({ ...place, instruction: judge.textsOf(instruction, code, at) }));
    offset += instruction.sizeBytes;
  }
  return tally;
}
