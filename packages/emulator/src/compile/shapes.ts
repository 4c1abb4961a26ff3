/**
 * Lane shapes. A per-lane value of shape S is, in each lane, the base of the lane's class plus a constant of the lane. Classes are
 * runs of 4-lane groups that share a base (a {@link Partition}); the constants are a {@link Pattern}. Both are interned: equal ones
 * are the same object.
 */

export interface Pattern {
  readonly id: number;
  /** Constant of each lane, signed. */
  readonly lanes: Int32Array;
  readonly isZero: boolean;
  /** The four lanes of every group are equal. */
  readonly isFlat: boolean;
  readonly min: number;
  readonly max: number;
  /** All bits that any lane has. */
  readonly bits: number;
}

export interface Partition {
  readonly id: number;
  /** Class of each 4-lane group. */
  readonly classes: Uint8Array;
  readonly count: number;
  /** First group of each class. */
  readonly first: readonly number[];
}

/** A partition that refines two others, and which class of each a class of it lies in. */
export interface Refinement {
  readonly partition: Partition;
  readonly left: readonly number[];
  readonly right: readonly number[];
}

export class Shapes {
  readonly waveSize: number;
  readonly groups: number;
  readonly #patterns = new Map<string, Pattern>();
  readonly #partitions = new Map<string, Partition>();
  readonly #refinements = new Map<number, Refinement>();
  readonly #results = new Map<string, Pattern>();
  readonly zero: Pattern;
  readonly laneId: Pattern;
  /** All groups in one class. */
  readonly one: Partition;

  constructor(waveSize: number) {
    this.waveSize = waveSize;
    this.groups = waveSize / 4;
    this.zero = this.pattern(new Int32Array(waveSize));
    this.laneId = this.pattern(Int32Array.from({ length: waveSize }, (_, lane) => lane));
    this.one = this.partition(new Uint8Array(this.groups));
  }

  pattern(lanes: Int32Array): Pattern {
    const key = lanes.join();
    const found = this.#patterns.get(key);
    if (found !== undefined) return found;
    let bits = 0;
    let min = Infinity;
    let max = -Infinity;
    let isFlat = true;
    for (let lane = 0; lane < lanes.length; lane++) {
      const value = lanes[lane] ?? 0;
      bits |= value;
      min = Math.min(min, value);
      max = Math.max(max, value);
      if (value !== lanes[lane & ~3]) isFlat = false;
    }
    const pattern: Pattern = { id: this.#patterns.size, lanes, isZero: min === 0 && max === 0, isFlat, min, max, bits };
    this.#patterns.set(key, pattern);
    return pattern;
  }

  partition(classes: Uint8Array): Partition {
    const key = classes.join();
    const found = this.#partitions.get(key);
    if (found !== undefined) return found;
    const first: number[] = [];
    for (let group = 0; group < classes.length; group++) {
      if (classes[group] === first.length) first.push(group);
    }
    const partition: Partition = { id: this.#partitions.size, classes, count: first.length, first };
    this.#partitions.set(key, partition);
    return partition;
  }

  refine(a: Partition, b: Partition): Refinement {
    const key = a.id * 65_536 + b.id;
    const found = this.#refinements.get(key);
    if (found !== undefined) return found;
    const { partition, pairs } = this.#split((group) => (a.classes[group] ?? 0) * 256 + (b.classes[group] ?? 0));
    const refinement: Refinement = { partition, left: pairs.map((p) => p >> 8), right: pairs.map((p) => p & 255) };
    this.#refinements.set(key, refinement);
    return refinement;
  }

  /** The partition that also separates groups whose flat pattern differs; `parent` is the class each class came from. */
  flatten(a: Partition, pattern: Pattern): { readonly partition: Partition; readonly parent: readonly number[] } {
    const values = new Map<number, number>();
    const number = (value: number): number => {
      const found = values.get(value);
      if (found !== undefined) return found;
      values.set(value, values.size);
      return values.size - 1;
    };
    const { partition, pairs } = this.#split((group) => (a.classes[group] ?? 0) * 256 + number(pattern.lanes[group * 4] ?? 0));
    return { partition, parent: pairs.map((p) => p >> 8) };
  }

  /** A pattern computed lane by lane from two others, remembered under `name`. */
  combine(name: string, a: Pattern, b: Pattern, compute: (x: number, y: number) => number): Pattern {
    const key = `${name},${a.id},${b.id}`;
    const found = this.#results.get(key);
    if (found !== undefined) return found;
    const pattern = this.pattern(a.lanes.map((x, lane) => compute(x, b.lanes[lane] ?? 0)));
    this.#results.set(key, pattern);
    return pattern;
  }

  map(name: string, a: Pattern, compute: (x: number) => number): Pattern {
    return this.combine(name, a, this.zero, compute);
  }

  /** The pattern with 0 in the first lane of each class. */
  canonical(partition: Partition, pattern: Pattern): Pattern {
    const key = `canonical,${partition.id},${pattern.id}`;
    const found = this.#results.get(key);
    if (found !== undefined) return found;
    const lanes = pattern.lanes.map((value, lane) => value - this.anchor(partition, pattern, partition.classes[lane >> 2] ?? 0));
    const result = this.pattern(lanes);
    this.#results.set(key, result);
    return result;
  }

  /** The pattern's value in the first lane of a class. */
  anchor(partition: Partition, pattern: Pattern, index: number): number {
    return pattern.lanes[(partition.first[index] ?? 0) * 4] ?? 0;
  }

  #split(keyOf: (group: number) => number): { partition: Partition; pairs: number[] } {
    const numbers = new Map<number, number>();
    const classes = new Uint8Array(this.groups);
    for (let group = 0; group < this.groups; group++) {
      const key = keyOf(group);
      const found = numbers.get(key);
      if (found === undefined) {
        classes[group] = numbers.size;
        numbers.set(key, numbers.size);
      } else classes[group] = found;
    }
    return { partition: this.partition(classes), pairs: [...numbers.keys()] };
  }
}
