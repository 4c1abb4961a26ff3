/**
 * What is known of a register at the entry of a block: how it is held in locals. Facts form a lattice of finite height; the meet of
 * two is the most precise form that both values can be brought into.
 */
import { trailingOnes } from './dag-rules.js';
import type { Partition, Pattern, Shapes } from './shapes.js';

export type Fact =
  /** One constant for the wave. */
  | { readonly kind: 'constant'; readonly value: number }
  /** VGPR: a constant in each lane. */
  | { readonly kind: 'lanes'; readonly pattern: Pattern }
  /** SGPR or SCC: an i32 local. */
  | { readonly kind: 'scalar'; readonly zeros: number }
  /** SGPR: 32 lanes of a mask in v128 locals. */
  | { readonly kind: 'mask' }
  /** VGPR of shape S, the pattern 0 in each class's first lane: an i32 local for each class. */
  | { readonly kind: 'shaped'; readonly partition: Partition; readonly pattern: Pattern; readonly zeros: number }
  /** VGPR: a v128 local for each group. */
  | { readonly kind: 'vector'; readonly zeros: number }
  /** VGPR: the high half of base + offset · multiplier, whose low half is the register before it. */
  | { readonly kind: 'pair'; readonly multiplier: number; readonly offset: Fact };

export function constantFact(value: number): Fact {
  return { kind: 'constant', value: value | 0 };
}

export function sameFact(a: Fact, b: Fact): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'constant':
      return b.kind === 'constant' && a.value === b.value;
    case 'lanes':
      return b.kind === 'lanes' && a.pattern === b.pattern;
    case 'scalar':
      return b.kind === 'scalar' && a.zeros === b.zeros;
    case 'mask':
      return b.kind === 'mask';
    case 'shaped':
      return b.kind === 'shaped' && a.partition === b.partition && a.pattern === b.pattern && a.zeros === b.zeros;
    case 'vector':
      return b.kind === 'vector' && a.zeros === b.zeros;
    case 'pair':
      return b.kind === 'pair' && a.multiplier === b.multiplier && sameFact(a.offset, b.offset);
    default:
      return a satisfies never;
  }
}

/** Both are held in the same locals in the same way, whatever bits are known. Sums are not compared: their halves belong together. */
export function isHeldAlike(a: Fact, b: Fact): boolean {
  if (a.kind === 'shaped') return b.kind === 'shaped' && a.partition === b.partition && a.pattern === b.pattern;
  return a.kind === b.kind && (a.kind === 'scalar' || a.kind === 'mask' || a.kind === 'vector');
}

/** The meet of an SGPR's or SCC's facts. */
export function meetScalar(a: Fact, b: Fact): Fact {
  if (sameFact(a, b)) return a;
  const isMask = (fact: Fact): boolean => fact.kind === 'mask';
  if (isMask(a) || isMask(b)) return { kind: 'mask' };
  return { kind: 'scalar', zeros: scalarZeros(a) & scalarZeros(b) };
}

function scalarZeros(fact: Fact): number {
  return fact.kind === 'constant' ? ~fact.value : fact.kind === 'scalar' ? fact.zeros : 0;
}

/** The meet of a VGPR's facts. */
export function meetVector(shapes: Shapes, a: Fact, b: Fact): Fact {
  if (sameFact(a, b)) return a;
  if (a.kind === 'pair' && b.kind === 'pair' && a.multiplier === b.multiplier) {
    return { kind: 'pair', multiplier: a.multiplier, offset: meetVector(shapes, a.offset, b.offset) };
  }
  const [x, y] = [asShaped(shapes, a), asShaped(shapes, b)];
  if (x !== undefined && y !== undefined) {
    const { partition } = shapes.refine(x.partition, y.partition);
    const pattern = shapes.canonical(partition, x.pattern);
    if (pattern === shapes.canonical(partition, y.pattern)) {
      return { kind: 'shaped', partition, pattern, zeros: baseZeros(x, partition, shapes) & baseZeros(y, partition, shapes) };
    }
  }
  return { kind: 'vector', zeros: vectorZeros(a) & vectorZeros(b) };
}

/** Fewer known bits after many rounds, so that a fixed point comes soon: only the low run stays. */
export function widen(fact: Fact): Fact {
  const low = (zeros: number): number => {
    const run = trailingOnes(zeros);
    return run >= 32 ? -1 : (1 << run) - 1;
  };
  switch (fact.kind) {
    case 'scalar':
    case 'vector':
    case 'shaped':
      return { ...fact, zeros: low(fact.zeros) };
    case 'pair':
      return { ...fact, offset: widen(fact.offset) };
    default:
      return fact;
  }
}

/** Known zero bits of every lane. */
function vectorZeros(fact: Fact): number {
  switch (fact.kind) {
    case 'constant':
      return ~fact.value;
    case 'lanes':
      return ~fact.pattern.bits;
    case 'vector':
      return fact.zeros;
    case 'shaped':
      return fact.pattern.min >= 0 && (fact.pattern.bits & ~fact.zeros) === 0 ? fact.zeros & ~fact.pattern.bits : 0;
    default:
      return 0;
  }
}

interface Shaped {
  readonly partition: Partition;
  readonly pattern: Pattern;
  /** Of the bases; absent: the bases are 0. */
  readonly zeros: number | undefined;
}

function asShaped(shapes: Shapes, fact: Fact): Shaped | undefined {
  switch (fact.kind) {
    case 'constant':
      return { partition: shapes.one, pattern: shapes.map(`add${fact.value}`, shapes.zero, () => fact.value), zeros: undefined };
    case 'lanes':
      return { partition: shapes.one, pattern: fact.pattern, zeros: undefined };
    case 'shaped':
      return fact;
    default:
      return undefined;
  }
}

/** Known zero bits of the bases once the pattern is made canonical for a finer partition. */
function baseZeros(shaped: Shaped, partition: Partition, shapes: Shapes): number {
  let zeros = -1;
  for (let index = 0; index < partition.count; index++) {
    const anchor = shapes.anchor(partition, shaped.pattern, index);
    if (shaped.zeros === undefined) zeros &= ~anchor;
    else zeros &= anchor === 0 ? shaped.zeros : addConstantZeros(shaped.zeros, anchor);
  }
  return zeros;
}

function addConstantZeros(zeros: number, value: number): number {
  if ((value & ~zeros) === 0 && value >= 0) return zeros & ~value;
  const run = Math.min(trailingOnes(zeros), trailingOnes(~value));
  return run >= 32 ? -1 : (1 << run) - 1;
}
