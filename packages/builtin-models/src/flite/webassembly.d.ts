// The part of WebAssembly that these files use. TypeScript declares it only in its browser library, whose other globals
// (document, window) must stay undeclared here.
declare namespace WebAssembly {
  class Module {
    private constructor();
    static imports(module: Module): { readonly module: string; readonly name: string }[];
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  type ModuleImports = Record<string, unknown>;
  class Instance {
    constructor(module: Module, imports?: Record<string, ModuleImports>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
