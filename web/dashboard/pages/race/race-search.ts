/** The part of the address that a ranking reads: the category that is shown. */
type RaceSearch = { category?: string }

/** Reads the search of an address. */
export function raceSearch({ category }: Record<string, unknown>): RaceSearch {
  return typeof category === 'string' && category !== '' ? { category } : {}
}
