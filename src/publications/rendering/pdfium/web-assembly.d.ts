/** The part of the WebAssembly API in use. TypeScript has it only together with all types of a browser. */
declare namespace WebAssembly {
  class Module {
    private readonly isModule: true
  }
  type Imports = Record<string, Record<string, unknown>>
  type Memory = { readonly buffer: ArrayBuffer }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Record<string, unknown>
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
