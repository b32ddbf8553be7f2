// Only what these files use of WebAssembly: TypeScript declares it in its browser library alone, whose other globals
// (document, window) a service must not see.
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
