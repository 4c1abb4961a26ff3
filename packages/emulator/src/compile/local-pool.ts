import type { FunctionBody } from '../wasm/module-builder.js';
import { I32 } from '../wasm/opcodes.js';
import { TYPE_LIST } from './dag-rules.js';

/** Locals of a function by type; those of a block are given back when it ends. */
export class LocalPool {
  readonly #body: FunctionBody;
  readonly #lists: readonly number[][] = TYPE_LIST.map(() => []);
  readonly #used: number[] = TYPE_LIST.map(() => 0);

  constructor(body: FunctionBody) {
    this.#body = body;
  }

  take(type: number): number {
    const list = this.#lists[type] ?? [];
    const position = this.#used[type] ?? 0;
    this.#used[type] = position + 1;
    const found = list[position];
    if (found !== undefined) return found;
    const local = this.#body.local(TYPE_LIST[type] ?? I32);
    list.push(local);
    return local;
  }

  /** Gives every local back. */
  reset(): void {
    this.#used.fill(0);
  }
}
