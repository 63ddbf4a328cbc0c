import { readFile } from 'node:fs/promises'
import { init, type PdfiumModule } from '@embedpdf/pdfium'
import type { Pdfium } from './pdfium.ts'
import type { PdfiumExports } from './pdfium-exports.ts'

type PdfiumOptions = {
  /** Memory limit of the instance. An operation that needs more fails, and usually breaks the instance. */
  maxMemoryBytes: number
  /** The compiled module, shared by several threads. */
  module?: WebAssembly.Module
}

/** Compiles PDFium. The result can be posted to worker threads, which saves each of them the compilation. */
export async function compilePdfium(): Promise<WebAssembly.Module> {
  const path = new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))
  return WebAssembly.compile(await readFile(path))
}

/**
 * Starts an instance of PDFium whose memory is bounded.
 *
 * After a call has thrown, the state of the instance is undefined: discard it. It cannot affect anything outside of its
 * own memory.
 */
export async function loadPdfium({ maxMemoryBytes, module }: PdfiumOptions): Promise<Pdfium> {
  const limit = { bytes: maxMemoryBytes, reached: false }
  const runtime = await init(startedFrom(module ?? (await compilePdfium()), limit))
  const functions = runtime.pdfium.wasmExports as unknown as PdfiumExports
  functions.PDFiumExt_Init()
  return {
    ...functions,
    addCallback: (callback, signature) => runtime.pdfium.addFunction(callback, signature),
    hasRunOutOfMemory: () => limit.reached,
  }
}

/** The runtime requests memory through an import; refusing it enforces a limit below the module's own 2 GiB. */
function startedFrom(compiled: WebAssembly.Module, limit: { bytes: number; reached: boolean }): Partial<PdfiumModule> {
  const instantiateWasm = (imports: WebAssembly.Imports, started: (instance: WebAssembly.Instance) => unknown) => {
    const grow = imports.env.emscripten_resize_heap as (bytes: number) => boolean | number
    const growWithinLimit = (bytes: number) => {
      limit.reached ||= bytes >>> 0 > limit.bytes
      return bytes >>> 0 > limit.bytes ? 0 : grow(bytes)
    }
    const env = { ...imports.env, emscripten_resize_heap: growWithinLimit }
    return started(new WebAssembly.Instance(compiled, { ...imports, env }))
  }
  const quiet = () => {}
  return { instantiateWasm, print: quiet, printErr: quiet } as Partial<PdfiumModule>
}
