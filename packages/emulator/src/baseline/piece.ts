/**
 * Baseline code: made in one pass over blocks, without facts, for a kernel's first calls. Every register is in the wave's slot between
 * blocks; a block is one function. A module has some blocks of a kernel, and puts them into a table from which a dispatcher
 * (dispatcher.ts) calls one after the other. It does not know where in the table blocks are: their places are imported by name, so that
 * several threads can use it.
 */
import type { CfgBlock } from '../compile/cfg.js';
import { createModule, instantiateModule, type ClockSource, type CompileOptions } from '../compile/compiler.js';
import { Dag } from '../compile/dag.js';
import { Shapes } from '../compile/shapes.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP } from '../wasm/opcodes.js';
import { BLOCK_TYPE, emitBlock, type BlockContext } from './block.js';

/** Names of imported modules: the table, places of the module's own blocks, and of the others that they lead to. */
export const TABLE = 't';
const OWN = 'b';
const OTHER = 'o';

export interface PieceOptions {
  readonly compile: CompileOptions;
  readonly waveSize: 32 | 64;
  /** Names of blocks by their numbers. */
  readonly nameOf: (block: number) => string;
}

export function compilePiece(blocks: readonly CfgBlock[], options: PieceOptions): Uint8Array<ArrayBuffer> {
  const { compile, waveSize, nameOf } = options;
  const { builder, context } = createModule(compile, waveSize);
  builder.importTable(TABLE, TABLE);
  const places = new Map<number, number>();
  for (const { index } of blocks) places.set(index, builder.importGlobal(OWN, nameOf(index)));
  const placeOf = (block: number): number => {
    const found = places.get(block);
    if (found !== undefined) return found;
    const global = builder.importGlobal(OTHER, nameOf(block));
    places.set(block, global);
    return global;
  };
  let copy = -1;
  const copyLanes = (): number => {
    if (copy < 0) {
      const { index, body } = builder.addFunction({ params: [I32, I32], results: [] });
      copy = index;
      emitCopy(body, waveSize);
    }
    return copy;
  };
  const shared: BlockContext = { module: context, waveSize, shapes: new Shapes(4), dag: new Dag(), copyLanes, placeOf };
  for (const block of blocks) {
    const { index, body } = builder.addFunction(BLOCK_TYPE);
    builder.addElement(placeOf(block.index), index);
    emitBlock(body, block, shared);
  }
  return builder.finish();
}

export interface PieceImports {
  readonly memory: WebAssembly.Memory;
  readonly clock: ClockSource;
  readonly table: WebAssembly.Table;
  /** The number of the block of a name; the table is large enough for it. */
  readonly numberOf: (name: string) => number;
}

/** Puts the blocks of a {@link compilePiece} module into the table; their numbers. */
export function instantiatePiece(bytes: Uint8Array<ArrayBuffer>, imports: PieceImports): number[] {
  const { table, numberOf } = imports;
  const module = new WebAssembly.Module(bytes);
  const places: Record<string, Record<string, number>> = { [OWN]: {}, [OTHER]: {} };
  for (const { module: group, name } of WebAssembly.Module.imports(module)) {
    const names = places[group];
    if (names !== undefined) names[name] = numberOf(name);
  }
  instantiateModule(module, imports, { ...places, [TABLE]: { [TABLE]: table } });
  return Object.values(places[OWN] ?? {});
}

/** (from, to): the dwords of a wave's lanes. */
function emitCopy(body: FunctionBody, waveSize: number): void {
  for (let offset = 0; offset < waveSize * 4; offset += 16) {
    body.get(1);
    body.get(0);
    body.access(OP.v128Load, 2, offset);
    body.access(OP.v128Store, 2, offset);
  }
}
