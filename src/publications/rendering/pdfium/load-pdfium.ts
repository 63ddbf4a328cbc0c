import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { init, type PdfiumModule } from '@embedpdf/pdfium'
import type { Pdfium, PdfiumExports } from './pdfium.ts'

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

/** A picture of 48 by 48 pixels as JPEG, as most pictures in documents are. */
const PICTURE = [
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE',
  '4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAwADADASIAAhEBAxEB/8QAFwAB',
  'AQEBAAAAAAAAAAAAAAAAAgMEBf/EACMQAAICAwABAwUAAAAAAAAAAAECABEhMUFREiJhcYGRweH/xAAZAQACAwEAAAAAAAAAAAAAAAACBAABAw',
  'X/xAAVEQEBAAAAAAAAAAAAAAAAAAAAAv/aAAwDAQACEQMRAD8A4SJ8xquBuMIcXKKhs7kSaBU90YU9jCHA8xhM/qEYmhC9qJVFRhLqtSgXFyzM',
  '0yBLGpQLVRBb3GFvlTJxpoQmY1UYsRha+2/mNVrfYRiaEJQziMLyJVAPiUVBdk/mEYmmWtRKmsRhMXUoE7MnGmgAB1GFrkap/ZQKA3nEszNAFx',
  '9IwtmMLRB1H6DR89hGJp//2Q==',
]

const TEXT = 'The quick brown fox jumps over the lazy dog. 0123456789'

/**
 * Returns a PDF with a page of text and a picture: opening and drawing it compiles the code that most documents need.
 */
export function warmUpDocument(): Uint8Array {
  const lines = Array.from({ length: 30 }, (_, at) => `BT /F1 12 Tf 72 ${700 - 14 * at} Td (${TEXT}) Tj ET`)
  const content = `q 500 0 0 200 56 60 cm /I Do Q 0.2 g ${lines.join(' ')} 72 50 m 500 50 l S`
  const resources = '/Resources << /Font << /F1 4 0 R >> /XObject << /I 5 0 R >> >>'
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents 6 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
    streamOf(
      '/Type /XObject /Subtype /Image /Width 48 /Height 48 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
      Buffer.from(PICTURE.join(''), 'base64'),
    ),
    streamOf('/Filter /FlateDecode', deflateSync(content)),
  ])
}

function streamOf(entries: string, bytes: Buffer): string {
  return `<< ${entries} /Length ${bytes.length} >>\nstream\n${bytes.toString('latin1')}\nendstream`
}

/** Writes objects, numbered from 1, as a file whose first object is its catalog. */
function fileOf(objects: string[]): Uint8Array {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}
