import type { PdfiumExports, Pointer } from './pdfium-exports.ts'

/** A running instance of PDFium. */
export type Pdfium = PdfiumExports & {
  /** Makes a function callable from PDFium; `signature` is of WebAssembly types, the result's first: `iiii`. */
  addCallback(callback: (...args: number[]) => number | undefined, signature: string): Pointer
  /** Whether it has asked for more memory than it may have: what fails from then on fails for that. */
  hasRunOutOfMemory(): boolean
}

/** No text PDFium is asked for is read beyond this: titles and addresses, of which a hostile file may have huge ones. */
const MAX_TEXT_BYTES = 64 * 1024

/** Lends `size` bytes of PDFium's memory to `use`. */
export function withMemory<T>(pdfium: Pdfium, size: number, use: (pointer: Pointer) => T): T {
  const pointer = pdfium.malloc(size)
  if (pointer === 0) throw new Error('PDFium is out of memory')
  try {
    return use(pointer)
  } finally {
    pdfium.free(pointer)
  }
}

/** Lends room for `count` values of four bytes each, through which a call gives several results. */
export function withCells<T>(pdfium: Pdfium, count: number, use: (pointer: Pointer, cells: () => DataView) => T): T {
  return withMemory(pdfium, count * 4, (pointer) => use(pointer, () => viewMemory(pdfium, pointer, count * 4)))
}

/** A view of PDFium's memory. Valid until the next call, which may grow the memory and detach it. */
export function viewMemory(pdfium: Pdfium, pointer: Pointer, size: number): DataView {
  return new DataView(pdfium.memory.buffer, pointer, size)
}

/**
 * Reads what PDFium gives as UTF-16 in the manner of its API: called without a buffer it tells the length in bytes with
 * the closing zero, called with one it fills it. Empty when there is nothing or far too much.
 */
export function readUtf16(pdfium: Pdfium, ask: (buffer: Pointer, length: number) => number): string {
  return readText(pdfium, ask, (bytes) => bytes.toString('utf16le', 0, bytes.length - 2).toWellFormed())
}

/** The same for what PDFium gives as bytes, such as addresses: read as UTF-8. */
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

/** Lends a string to `use`, as the zero-terminated UTF-8 that PDFium takes. */
export function withUtf8<T>(pdfium: Pdfium, text: string, use: (pointer: Pointer) => T): T {
  const bytes = Buffer.from(`${text}\0`)
  return withMemory(pdfium, bytes.length, (pointer) => {
    new Uint8Array(pdfium.memory.buffer, pointer, bytes.length).set(bytes)
    return use(pointer)
  })
}
