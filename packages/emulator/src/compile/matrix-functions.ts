/**
 * The functions of a module that execute matrix instructions: (control block) → the result's registers in the matrix area. A and B are
 * first rewritten as rows of k whose elements are consecutive (matrix-rows.ts), then rows of D are summed tile by tile
 * (matrix-tile.ts).
 */
import { placeOf } from '../matrix/layout.js';
import type { MatrixOp } from '../matrix/matrix-op.js';
import type { FunctionBody, ModuleBuilder } from '../wasm/module-builder.js';
import { I32, OP } from '../wasm/opcodes.js';
import { elementBytes, matrixArea, rowBytes } from './matrix-area.js';
import type { RowUnpacking } from './matrix-rows.js';
import { emitUnpacking, factorUnpacking, positionUnpacking, rowUnpacking } from './matrix-rows.js';
import { emitTile, tileRows } from './matrix-tile.js';

export interface MatrixContext {
  /** `relaxed_madd` is fused. */
  readonly relaxed: boolean;
  /** Index of an imported function. */
  readonly imported: (name: string) => number;
}

/** Parameter of a matrix function. */
const CONTROL = 0;

export class MatrixFunctions {
  readonly #builder: ModuleBuilder;
  readonly #context: MatrixContext;
  readonly #functions = new Map<string, number>();

  constructor(builder: ModuleBuilder, context: MatrixContext) {
    this.#builder = builder;
    this.#context = context;
  }

  /** Index of the instruction's function. */
  functionOf(op: MatrixOp): number {
    return this.#make(op.key, 1, (body) => this.#emit(body, op));
  }

  #make(key: string, parameters: number, emit: (body: FunctionBody) => void): number {
    const found = this.#functions.get(key);
    if (found !== undefined) return found;
    const { index, body } = this.#builder.addFunction({ params: new Array<typeof I32>(parameters).fill(I32), results: [] });
    this.#functions.set(key, index);
    emit(body);
    return index;
  }

  #emit(body: FunctionBody, op: MatrixOp): void {
    const area = matrixArea(op);
    for (const side of [0, 1] as const) {
      this.#unpack(body, rowUnpacking(op, side));
      if (op.scale !== undefined) for (const unpacking of factorUnpacking(op, op.scale, side)) this.#unpack(body, unpacking);
    }
    if (op.index !== undefined) this.#unpack(body, positionUnpacking(op, op.index));
    const tile = this.#make(`tile ${op.key}`, 4, (tileBody) => emitTile(tileBody, op, this.#context));
    const [rowOfA, rowOfB] = rowBytes(op);
    const bytes = elementBytes(op);
    for (let b = 0; b < op.blocks; b++) {
      for (let i = 0; i < op.m; i += tileRows(op)) {
        const { register, lane } = placeOf(op.c, { b, i, j: 0 });
        const result = placeOf(op.d, { b, i, j: 0 });
        const row = (op.aBlocks[b] ?? b) * (rowOfA / op.blocks) + i * bytes;
        pushAddress(body, row);
        pushAddress(body, area.rowsOfB + (b * rowOfB) / op.blocks);
        pushAddress(body, area.c + (register * op.waveSize + lane) * 4);
        pushAddress(body, area.result + (result.register * op.waveSize + result.lane) * 4);
        body.call(tile);
      }
    }
  }

  #unpack(body: FunctionBody, unpacking: RowUnpacking): void {
    const fn = this.#make(`unpack ${unpacking.key}`, 2, (unpackBody) => emitUnpacking(unpackBody, unpacking, this.#context));
    for (const { source, target } of unpacking.steps) {
      pushAddress(body, source);
      pushAddress(body, target);
      body.call(fn);
    }
  }
}

function pushAddress(body: FunctionBody, offset: number): void {
  body.get(CONTROL);
  body.i32(offset);
  body.op(OP.i32Add);
}
