/** Returns the sizes of a growth curve that do not exceed the largest; the largest is always the last. */
export function sizesUpTo(sizes: readonly number[], largest: number): number[] {
  return [...sizes.filter((size) => size < largest), largest]
}
