/* eslint-disable no-var, @typescript-eslint/no-namespace, @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unsafe-function-type --
   the interface is declared as lib.dom.d.ts does it, so that the two agree where a program has both */
/**
 * The part of the WebAssembly JavaScript interface that the emulator uses, declared as lib.dom.d.ts declares it: the package
 * is compiled without the DOM library. Nothing here exists at run time.
 */
declare global {
  namespace WebAssembly {
    interface Memory {
      readonly buffer: ArrayBuffer;
      grow(delta: number): number;
    }
    var Memory: {
      prototype: Memory;
      new (descriptor: MemoryDescriptor): Memory;
    };
    interface MemoryDescriptor {
      initial: number;
      maximum?: number;
      shared?: boolean;
    }
    interface Module {}
    var Module: {
      prototype: Module;
      new (bytes: Uint8Array): Module;
      imports(module: Module): ModuleImportDescriptor[];
    };
    interface ModuleImportDescriptor {
      module: string;
      name: string;
    }
    interface Table {
      readonly length: number;
      grow(delta: number, value?: Function): number;
    }
    var Table: {
      prototype: Table;
      new (descriptor: TableDescriptor): Table;
    };
    interface TableDescriptor {
      element: 'anyfunc';
      initial: number;
    }
    interface Instance {
      readonly exports: Exports;
    }
    var Instance: {
      prototype: Instance;
      new (module: Module, importObject?: Imports): Instance;
    };
    interface RuntimeError extends Error {}
    var RuntimeError: {
      prototype: RuntimeError;
      new (message?: string): RuntimeError;
    };
    type ExportValue = Function | Memory | Table;
    type Exports = Record<string, ExportValue>;
    type ImportValue = ExportValue | number;
    type Imports = Record<string, ModuleImports>;
    type ModuleImports = Record<string, ImportValue>;
    function validate(bytes: Uint8Array): boolean;
  }
}

export {};
