/** Builds a WebAssembly module: functions over one imported shared memory. */
import { ByteSink } from './byte-sink.js';
import { I32, OP, type WasmType } from './opcodes.js';

export interface FunctionType {
  readonly params: readonly WasmType[];
  readonly results: readonly WasmType[];
}

export interface MemoryImport {
  readonly module: string;
  readonly name: string;
  readonly initialPages: number;
  readonly maximumPages: number;
}

interface Imported {
  readonly module: string;
  readonly name: string;
}

interface ImportedFunction extends Imported {
  readonly type: number;
}

/** The code of one function: locals and instructions. */
export class FunctionBody {
  readonly code: ByteSink = new ByteSink(1024);
  readonly #locals: WasmType[] = [];
  readonly #paramCount: number;

  constructor(paramCount: number) {
    this.#paramCount = paramCount;
  }

  /** A new local's index. */
  local(type: WasmType): number {
    return this.#paramCount + this.#locals.push(type) - 1;
  }

  get localCount(): number {
    return this.#locals.length;
  }

  op(opcode: number): void {
    const code = this.code;
    if (opcode < 0x100) {
      code.byte(opcode);
    } else {
      code.byte(opcode >> 12);
      code.u32(opcode & 0xfff);
    }
  }

  get(local: number): void {
    this.code.byte(OP.localGet);
    this.code.u32(local);
  }
  set(local: number): void {
    this.code.byte(OP.localSet);
    this.code.u32(local);
  }
  tee(local: number): void {
    this.code.byte(OP.localTee);
    this.code.u32(local);
  }
  i32(value: number): void {
    this.code.byte(OP.i32Const);
    this.code.s32(value);
  }
  i64(low: number, high: number): void {
    this.code.byte(OP.i64Const);
    this.code.s64(low, high);
  }
  v128(lanes: ArrayLike<number>): void {
    this.op(OP.v128Const);
    for (let i = 0; i < 4; i++) this.code.dword(lanes[i] ?? 0);
  }
  globalGet(global: number): void {
    this.code.byte(OP.globalGet);
    this.code.u32(global);
  }
  /** An access's opcode with its memarg: log2 of the alignment, constant offset. */
  access(opcode: number, align: number, offset: number): void {
    this.op(opcode);
    this.code.u32(align);
    this.code.u32(offset);
  }
  call(index: number): void {
    this.code.byte(OP.call);
    this.code.u32(index);
  }
  /** Calls the function of the table at the place on the stack. */
  callIndirect(type: number): void {
    this.code.byte(OP.callIndirect);
    this.code.u32(type);
    this.code.byte(0);
  }
  br(depth: number): void {
    this.code.byte(OP.br);
    this.code.u32(depth);
  }
  brIf(depth: number): void {
    this.code.byte(OP.brIf);
    this.code.u32(depth);
  }
  /** `block`, `loop` or `if` with a block type. */
  open(opcode: number, type: number): void {
    this.code.byte(opcode);
    this.code.byte(type);
  }
  end(): void {
    this.code.byte(OP.end);
  }

  writeTo(sink: ByteSink): void {
    const head = new ByteSink(64);
    const runs: { type: WasmType; count: number }[] = [];
    for (const type of this.#locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    head.u32(runs.length);
    for (const run of runs) {
      head.u32(run.count);
      head.byte(run.type);
    }
    sink.u32(head.length + this.code.length + 1);
    sink.bytes(head.view());
    sink.bytes(this.code.view());
    sink.byte(OP.end);
  }
}

/** Imports must be declared before functions: function indices count imports first. */
export class ModuleBuilder {
  readonly #types: FunctionType[] = [];
  readonly #imports: ImportedFunction[] = [];
  readonly #functions: { type: number; body: FunctionBody }[] = [];
  readonly #exports: { name: string; index: number }[] = [];
  #table: Imported | undefined;
  readonly #globals: Imported[] = [];
  /** Functions for the imported table, each at the place that an imported global says. */
  readonly #elements: { readonly global: number; readonly index: number }[] = [];
  readonly #memory: MemoryImport;

  constructor(memory: MemoryImport) {
    this.#memory = memory;
  }

  importFunction(module: string, name: string, type: FunctionType): number {
    if (this.#functions.length > 0) throw new RangeError('Imports must be declared before functions.');
    return this.#imports.push({ module, name, type: this.#type(type) }) - 1;
  }

  /** Adds a function whose code may be written later; returns its index and body. */
  addFunction(type: FunctionType): { readonly index: number; readonly body: FunctionBody } {
    const body = new FunctionBody(type.params.length);
    const index = this.#imports.length + this.#functions.push({ type: this.#type(type), body }) - 1;
    return { index, body };
  }

  exportFunction(name: string, index: number): void {
    this.#exports.push({ name, index });
  }

  /** Table 0 is an imported one, of functions. */
  importTable(module: string, name: string): void {
    this.#table = { module, name };
  }

  /** An i32 that stays as it is; returns the global's index. */
  importGlobal(module: string, name: string): number {
    return this.#globals.push({ module, name }) - 1;
  }

  /** Puts a function into the imported table when the module is instantiated, at the place in a global. */
  addElement(global: number, index: number): void {
    this.#elements.push({ global, index });
  }

  /** A function type's index. */
  typeIndex(type: FunctionType): number {
    return this.#type(type);
  }

  /** The module's bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    const out = new ByteSink(4096);
    out.dword(0x6d736100); // "\0asm"
    out.dword(1);
    section(out, 1, (s) => {
      s.u32(this.#types.length);
      for (const type of this.#types) {
        s.byte(0x60);
        for (const list of [type.params, type.results]) {
          s.u32(list.length);
          for (const t of list) s.byte(t);
        }
      }
    });
    section(out, 2, (s) => {
      const table = this.#table;
      s.u32(this.#imports.length + this.#globals.length + (table === undefined ? 1 : 2));
      s.name(this.#memory.module);
      s.name(this.#memory.name);
      s.byte(2);
      s.byte(3); // shared, with a maximum (threads proposal, limits)
      s.u32(this.#memory.initialPages);
      s.u32(this.#memory.maximumPages);
      for (const fn of this.#imports) {
        s.name(fn.module);
        s.name(fn.name);
        s.byte(0);
        s.u32(fn.type);
      }
      if (table !== undefined) {
        s.name(table.module);
        s.name(table.name);
        s.byte(1);
        s.byte(0x70); // funcref, without a maximum
        s.byte(0);
        s.u32(0);
      }
      for (const global of this.#globals) {
        s.name(global.module);
        s.name(global.name);
        s.byte(3);
        s.byte(I32);
        s.byte(0); // immutable
      }
    });
    section(out, 3, (s) => {
      s.u32(this.#functions.length);
      for (const fn of this.#functions) s.u32(fn.type);
    });
    section(out, 7, (s) => {
      s.u32(this.#exports.length);
      for (const item of this.#exports) {
        s.name(item.name);
        s.byte(0);
        s.u32(item.index);
      }
    });
    if (this.#elements.length > 0) {
      section(out, 9, (s) => {
        s.u32(this.#elements.length);
        for (const { global, index } of this.#elements) {
          s.u32(0); // active, table 0, from the place in the global
          s.byte(OP.globalGet);
          s.u32(global);
          s.byte(OP.end);
          s.u32(1);
          s.u32(index);
        }
      });
    }
    section(out, 10, (s) => {
      s.u32(this.#functions.length);
      for (const fn of this.#functions) fn.body.writeTo(s);
    });
    return out.view().slice();
  }

  #type(type: FunctionType): number {
    const same = (a: readonly WasmType[], b: readonly WasmType[]): boolean =>
      a.length === b.length && a.every((t, i) => t === b[i]);
    const found = this.#types.findIndex((t) => same(t.params, type.params) && same(t.results, type.results));
    return found >= 0 ? found : this.#types.push(type) - 1;
  }
}

function section(out: ByteSink, id: number, write: (sink: ByteSink) => void): void {
  const body = new ByteSink(256);
  write(body);
  out.byte(id);
  out.u32(body.length);
  out.bytes(body.view());
}
