/** A head that has moved by less, in pixels of the screen, looks as before. */
const SEEN_PX = 0.25

/** The places of heads in pixels of the map; NaN before the start. */
type Places = { x: Float64Array; y: Float64Array; isRing: Uint8Array; count: number }

/**
 * Remembers the picture that is on the screen. On a map of a whole race, a runner needs seconds for a pixel, and a
 * picture for each frame of the screen would cost a phone its battery and show nothing new.
 */
export class ShownPlaces {
  #x = new Float64Array(0)
  #y = new Float64Array(0)
  #isRing = new Uint8Array(0)
  #count = 0

  /** Notes where the heads of a picture are. */
  note({ x, y, isRing, count }: Places): void {
    if (this.#x.length < count) {
      this.#x = new Float64Array(count)
      this.#y = new Float64Array(count)
      this.#isRing = new Uint8Array(count)
    }
    this.#x.set(x.subarray(0, count))
    this.#y.set(y.subarray(0, count))
    this.#isRing.set(isRing.subarray(0, count))
    this.#count = count
  }

  /** Tells whether a picture of these heads would look the same. @param ratio pixels of the screen for a map's */
  isSame({ x, y, isRing, count }: Places, ratio: number): boolean {
    if (count !== this.#count) return false
    const px = SEEN_PX / ratio
    for (let i = 0; i < count; i++) {
      if (Number.isNaN(x[i]) !== Number.isNaN(this.#x[i]) || isRing[i] !== this.#isRing[i]) return false
      if (Math.abs(x[i] - this.#x[i]) >= px || Math.abs(y[i] - this.#y[i]) >= px) return false
    }
    return true
  }
}
