/** What is kept in memory: something with bytes. */
export type Sized = { bytes: Buffer }

/** What an entry takes beside its bytes, about. */
const ENTRY_BYTES = 1_024

/** What was delivered last, as far as it fits into so many bytes; what was asked for longest ago goes first. */
export class RecentImages<Image extends Sized> {
  readonly #maxBytes: number
  readonly #images = new Map<string, Image>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Image | undefined {
    const image = this.#images.get(key)
    if (image === undefined) return undefined
    this.#images.delete(key)
    this.#images.set(key, image)
    return image
  }

  /** Keeps an image, unless it would take the place of too many others. */
  set(key: string, image: Image): void {
    this.delete(key)
    if (costOf(image) > this.#maxBytes / 8) return
    this.#images.set(key, image)
    this.#bytes += costOf(image)
    for (const oldest of this.#images.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const image = this.#images.get(key)
    if (image === undefined) return
    this.#images.delete(key)
    this.#bytes -= costOf(image)
  }
}

function costOf({ bytes }: Sized): number {
  return bytes.length + ENTRY_BYTES
}
