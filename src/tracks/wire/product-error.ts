/** Halves a double's 53 bits, so that the halves' products are exact (Veltkamp; 2^27 + 1). */
const SPLITTER = 134_217_729

/** What rounding took from `product`, which is a times b rounded; exact, as long as no factor is near the largest. */
export function productError(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a
  const aHigh = aScaled - (aScaled - a)
  const aLow = a - aHigh
  const bScaled = SPLITTER * b
  const bHigh = bScaled - (bScaled - b)
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}
