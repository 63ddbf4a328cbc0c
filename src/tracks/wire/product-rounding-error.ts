/** Halves a double's 53 bits, so that the halves' products are exact (Veltkamp; 2^27 + 1). */
const SPLITTER = 134_217_729

/**
 * Returns the rounding error of `product`, the double nearest to `a` times `b`: the exact product less `product`
 * (Dekker, 1971). Exact unless a factor is near the largest double.
 */
export function productRoundingError(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a
  const aHigh = aScaled - (aScaled - a)
  const aLow = a - aHigh
  const bScaled = SPLITTER * b
  const bHigh = bScaled - (bScaled - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}
