/** Start and end of a search: the first corner, the length of the edges, and when to stop. */
type Search = { start: readonly number[]; step: number; maxEvaluations: number; spread: number }

/** A place and its value. */
export type Lowest = { at: Float64Array; value: number }

/**
 * Returns the lowest value found by the simplex method of Nelder and Mead (The Computer Journal 7, 1965): reflects by
 * 1, expands by 2, contracts and shrinks by a half. Ends when the values of the simplex are within `spread`.
 */
export function findLowest(
  valueAt: (at: Float64Array) => number,
  { start, step, maxEvaluations, spread }: Search,
): Lowest {
  let evaluations = 0
  const evaluate = (at: Float64Array): Lowest => {
    evaluations++
    return { at, value: valueAt(at) }
  }
  const corners = [evaluate(Float64Array.from(start))]
  for (let axis = 0; axis < start.length; axis++) {
    const at = Float64Array.from(start)
    at[axis] += step
    corners.push(evaluate(at))
  }
  const last = start.length
  while (evaluations < maxEvaluations) {
    corners.sort((a, b) => a.value - b.value)
    if (corners[last].value - corners[0].value < spread) break
    const worst = corners[last]
    const center = centerOf(corners, last)
    const along = (share: number) => evaluate(center.map((value, axis) => value + share * (value - worst.at[axis])))
    const reflected = along(1)
    if (reflected.value < corners[0].value) {
      const expanded = along(2)
      corners[last] = expanded.value < reflected.value ? expanded : reflected
    } else if (reflected.value < corners[last - 1].value) {
      corners[last] = reflected
    } else {
      const contracted = along(reflected.value < worst.value ? 0.5 : -0.5)
      if (contracted.value < Math.min(reflected.value, worst.value)) corners[last] = contracted
      else
        for (let i = 1; i <= last; i++)
          corners[i] = evaluate(corners[i].at.map((value, axis) => (value + corners[0].at[axis]) / 2))
    }
  }
  return corners.reduce((best, corner) => (corner.value < best.value ? corner : best))
}

function centerOf(corners: readonly Lowest[], count: number): Float64Array {
  const center = new Float64Array(count)
  for (let i = 0; i < count; i++) for (let axis = 0; axis < count; axis++) center[axis] += corners[i].at[axis] / count
  return center
}
