/**
 * Rounds after which the values are sorted instead, so an order made to defeat the selection costs no more than a sort.
 */
const MAX_ROUNDS = 64

/**
 * Returns the middle value, or the larger of two; NaN without values. Reorders `values`. Hoare's selection
 * (Communications of the ACM 4, 1961), because sorting is the slowest step of all statistics.
 */
export function upperMedian(values: Float64Array): number {
  const middle = values.length >> 1
  let low = 0
  let high = values.length - 1
  for (let round = 0; low < high; round++) {
    if (round === MAX_ROUNDS) {
      values.subarray(low, high + 1).sort()
      break
    }
    const pivot = middleOfThree(values[low], values[(low + high) >> 1], values[high])
    let left = low
    let right = high
    while (left <= right) {
      while (values[left] < pivot) left++
      while (values[right] > pivot) right--
      if (left > right) break
      const value = values[left]
      values[left++] = values[right]
      values[right--] = value
    }
    if (middle <= right) high = right
    else if (middle >= left) low = left
    else break
  }
  return values.length === 0 ? Number.NaN : values[middle]
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}
