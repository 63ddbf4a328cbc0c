import { PAGE_WIDTH } from '../../domain/image-forms.ts'
import type { PageImage } from '../pages/draw-page.ts'

/**
 * A page of 1,200 by 2,330 pixels; a taller or larger one gets memory of its own. Only what is written to takes memory.
 */
const BITMAP_BYTES = 8_388_608

/** Unused bitmaps that are kept: those of the pages between a worker and their storage. */
const MAX_UNUSED = 12

/** Unused bitmaps are kept while pages are rendered, and this long after. */
const KEEP_MS = 2_000

/**
 * Memory for bitmaps that this thread shares with render threads, used again and again. Measured: a new buffer of seven
 * megabytes for each page costs a tenth of the processor time of rendering and encoding, because every third page
 * starts a collection of the whole process.
 */
export class BitmapPool {
  readonly #unused: SharedArrayBuffer[] = []
  #forgetting: NodeJS.Timeout | undefined

  /** The number of bitmaps that are kept for reuse. */
  get unused(): number {
    return this.#unused.length
  }

  /** Returns memory of undefined content, which the caller gives back when no thread uses it any more, or drops. */
  take(): SharedArrayBuffer {
    return this.#unused.pop() ?? new SharedArrayBuffer(BITMAP_BYTES)
  }

  give(bitmap: SharedArrayBuffer): void {
    if (this.#unused.length < MAX_UNUSED) this.#unused.push(bitmap)
    this.#forgetting ??= setTimeout(() => this.#forget(), KEEP_MS).unref()
    this.#forgetting.refresh()
  }

  #forget(): void {
    this.#unused.length = 0
    this.#forgetting = undefined
  }
}

/**
 * The bitmaps of the pages of a job. That of a page that fails is dropped: a worker
 * that is being ended may still write to it.
 */
export class PageBitmaps {
  readonly #pool: BitmapPool
  readonly #taken = new Map<number, SharedArrayBuffer>()

  constructor(pool: BitmapPool) {
    this.#pool = pool
  }

  /** Returns memory for a page of a width in pixels; undefined for a large image, which gets memory of its own. */
  takeFor(page: number, width: number): SharedArrayBuffer | undefined {
    if (width > PAGE_WIDTH) return undefined
    const bitmap = this.#pool.take()
    this.#taken.set(page, bitmap)
    return bitmap
  }

  /** Returns a function that gives back the memory of a rendered page. */
  freeing(page: number, { data }: PageImage): () => void {
    const bitmap = this.#taken.get(page)
    this.#taken.delete(page)
    return () => {
      if (data.buffer instanceof ArrayBuffer) data.buffer.transfer(0)
      if (bitmap !== undefined) this.#pool.give(bitmap)
    }
  }
}
