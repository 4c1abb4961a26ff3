/** Where the elements of matrix operands live: the generated tables, parsed. */
import { InternalError } from '@doorbell/abi';
import { matrixInstructions, matrixLayouts } from '../generated/matrix-layouts.js';

/** Coordinates: block, row, column, k; for sparse operands the group of four k. */
export type Coordinate = 'b' | 'i' | 'j' | 'k' | 'g';

/** A bit of a place: of the lane, of the register number, of the slot in the register, of the slot in the whole tuple. */
export interface PlaceBit {
  readonly where: 'l' | 'r' | 'e' | 't';
  readonly bit: number;
}

export interface MatrixLayout {
  /** Bits of a slot; 64: a register pair; 6: packed over the whole tuple. */
  readonly slotBits: number;
  readonly registers: number;
  /** Index registers: sets, and bits of each. */
  readonly sets: number;
  readonly setBits: number;
  /** Bit n of a coordinate lies at entry n. */
  readonly bits: Readonly<Record<Coordinate, readonly PlaceBit[]>>;
}

/** One row of the table: an instruction with the layouts of one wave size. */
export interface MatrixRow {
  readonly name: string;
  /** Types of A, B and D as the calculator names them. */
  readonly types: readonly [string, string, string];
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly blocks: number;
  /** Format codes that the row is for; empty: not chosen by a field. */
  readonly formats: readonly number[];
  /** The blgp field chooses lanes of B. */
  readonly permutesB: boolean;
  readonly a: MatrixLayout;
  readonly b: MatrixLayout;
  readonly d: MatrixLayout;
  readonly index: MatrixLayout | undefined;
}

export interface MatrixPlace {
  readonly register: number;
  readonly lane: number;
  /** First bit in the register. */
  readonly bit: number;
}

function parsePlaceBit(text: string): PlaceBit {
  const [where, ...bit] = text;
  if (where !== 'l' && where !== 'r' && where !== 'e' && where !== 't') throw new InternalError(`matrix place ${text}`);
  return { where, bit: Number(bit.join('')) };
}

function parseLayout(line: string): MatrixLayout {
  const [head = '', ...coordinates] = line.split('|');
  const [slotBits = '', registers = '', sets = '1x0'] = head.split(' ');
  const [setCount = '', setBits = ''] = sets.split('x');
  const places = (name: Coordinate): readonly PlaceBit[] =>
    (
      coordinates
        .find((text) => text.startsWith(name))
        ?.slice(2)
        .split(' ') ?? []
    ).map(parsePlaceBit);
  return {
    slotBits: Number(slotBits),
    registers: Number(registers),
    sets: Number(setCount),
    setBits: Number(setBits),
    bits: { b: places('b'), i: places('i'), j: places('j'), k: places('k'), g: places('g') },
  };
}

/** Rows of the families that were asked for, by wave size. */
const rows = new Map<string, ReadonlyMap<number, readonly MatrixRow[]>>();
let layoutLines: readonly string[] | undefined;
const layouts: (MatrixLayout | undefined)[] = [];

function layoutOf(number: string | undefined): MatrixLayout | undefined {
  if (number === undefined) return undefined;
  layoutLines ??= matrixLayouts().split('\n');
  return (layouts[Number(number)] ??= parseLayout(layoutLines[Number(number)] ?? ''));
}

function parseRows(family: string): ReadonlyMap<number, readonly MatrixRow[]> {
  const byWaveSize = new Map<number, MatrixRow[]>();
  for (const line of matrixInstructions().split('\n')) {
    if (!line.startsWith(`${family} `)) continue;
    const [, name = '', a = '', b = '', d = '', m, n, k, blocks, formats = '-', permutes, , waves = ''] = line.split(' ');
    for (const wave of waves.split(';')) {
      const [size, numbers = ''] = wave.split(':');
      const [layoutA, layoutB, layoutD, index] = numbers.split(',').map(layoutOf);
      if (layoutA === undefined || layoutB === undefined || layoutD === undefined) throw new InternalError(`layouts of ${name}`);
      const list = byWaveSize.get(Number(size)) ?? [];
      byWaveSize.set(Number(size), list);
      list.push({
        name,
        types: [a, b, d],
        m: Number(m),
        n: Number(n),
        k: Number(k),
        blocks: Number(blocks),
        formats: formats === '-' ? [] : formats.split(',').map(Number),
        permutesB: permutes === 'permutes',
        a: layoutA,
        b: layoutB,
        d: layoutD,
        index,
      });
    }
  }
  return byWaveSize;
}

/** The rows of a family of the tables (`gfx950` stands for itself) in one wave size. */
export function matrixRows(family: string, waveSize: 32 | 64): readonly MatrixRow[] {
  const ofFamily = rows.get(family) ?? parseRows(family);
  rows.set(family, ofFamily);
  return ofFamily.get(waveSize) ?? [];
}

/** Where an element lives; coordinates that the layout does not have are left out. */
export function placeOf(layout: MatrixLayout, at: Readonly<Partial<Record<Coordinate, number>>>): MatrixPlace {
  let register = 0;
  let lane = 0;
  let slot = 0;
  for (const name of ['b', 'i', 'j', 'k', 'g'] as const) {
    const value = at[name] ?? 0;
    for (const [n, { where, bit }] of layout.bits[name].entries()) {
      const part = ((value >>> n) & 1) << bit;
      if (where === 'r') register += part;
      else if (where === 'l') lane += part;
      else slot += part;
    }
  }
  if (layout.slotBits >= 32) return { register, lane, bit: 0 };
  const bit = slot * layout.slotBits;
  return { register: register + (bit >>> 5), lane, bit: bit & 31 };
}
