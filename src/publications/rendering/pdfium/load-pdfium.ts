import { readFile } from 'node:fs/promises'
import { init, type PdfiumModule } from '@embedpdf/pdfium'
import type { Pdfium } from './pdfium.ts'
import type { PdfiumExports } from './pdfium-exports.ts'

export type PdfiumOptions = {
  /** What the instance may grow to. What asks for more fails, and usually takes the instance with it. */
  maxMemoryBytes: number
  /** The compiled module, so that several threads compile it once. */
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
 * After a call has thrown, the instance is in no defined state: throw it away. Nothing it did can reach beyond its own
 * memory.
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

/** The runtime asks for memory through an import; refusing there is what makes a limit below the module's own 2 GiB. */
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
