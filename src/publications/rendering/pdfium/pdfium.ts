import type { PdfiumExports, Pointer } from './pdfium-exports.ts'

/** A running instance of PDFium. */
export type Pdfium = PdfiumExports & {
  /** Makes a function callable from PDFium; `signature` lists WebAssembly types, the result first: `iiii`. */
  addCallback(callback: (...args: number[]) => number | undefined, signature: string): Pointer
  /** Returns true once more memory than allowed was requested: later failures are caused by that. */
  hasRunOutOfMemory(): boolean
}

/** Limit for a text read from PDFium, such as a title or an address: a hostile file may have huge ones. */
const MAX_TEXT_BYTES = 64 * 1024

/** Allocates `size` bytes of PDFium's memory during `use`. */
function withMemory<T>(pdfium: Pdfium, size: number, use: (pointer: Pointer) => T): T {
  const pointer = pdfium.malloc(size)
  if (pointer === 0) throw new Error('PDFium is out of memory')
  try {
    return use(pointer)
  } finally {
    pdfium.free(pointer)
  }
}

/** Allocates `count` values of four bytes each, through which a call returns several results. */
export function withCells<T>(pdfium: Pdfium, count: number, use: (pointer: Pointer, cells: () => DataView) => T): T {
  return withMemory(pdfium, count * 4, (pointer) => use(pointer, () => viewMemory(pdfium, pointer, count * 4)))
}

/** A view of PDFium's memory. Valid until the next call, which may grow the memory and detach it. */
export function viewMemory(pdfium: Pdfium, pointer: Pointer, size: number): DataView {
  return new DataView(pdfium.memory.buffer, pointer, size)
}

/**
 * Reads UTF-16 text from PDFium: called without a buffer, its functions return the length in bytes including the
 * terminating zero; called with a buffer, they fill it. Returns an empty text if there is none or far too much.
 */
export function readUtf16(pdfium: Pdfium, ask: (buffer: Pointer, length: number) => number): string {
  return readText(pdfium, ask, (bytes) => bytes.toString('utf16le', 0, bytes.length - 2).toWellFormed())
}

/** Reads bytes from PDFium, such as addresses, as UTF-8. */
export function readUtf8(pdfium: Pdfium, ask: (buffer: Pointer, length: number) => number): string {
  return readText(pdfium, ask, (bytes) => bytes.toString('utf8', 0, bytes.length - 1))
}

function readText(
  pdfium: Pdfium,
  ask: (buffer: Pointer, length: number) => number,
  decode: (bytes: Buffer) => string,
): string {
  const length = ask(0, 0) >>> 0
  if (length <= 1 || length > MAX_TEXT_BYTES) return ''
  return withMemory(pdfium, length, (buffer) => {
    ask(buffer, length)
    return decode(Buffer.from(pdfium.memory.buffer, buffer, length))
  })
}

/** Passes a string to `use` as zero-terminated UTF-8. */
export function withUtf8<T>(pdfium: Pdfium, text: string, use: (pointer: Pointer) => T): T {
  const bytes = Buffer.from(`${text}\0`)
  return withMemory(pdfium, bytes.length, (pointer) => {
    new Uint8Array(pdfium.memory.buffer, pointer, bytes.length).set(bytes)
    return use(pointer)
  })
}
