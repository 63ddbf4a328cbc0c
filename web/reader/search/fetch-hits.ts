/** Pages with their number of hits, and the text around the first hits of each. */
export type SearchResult = {
  hits: number
  pages_searched: number
  page_count: number
  pages: { page: number; hits: number }[]
  snippets: { page: number; text: string; from: number; to: number }[]
}

export async function fetchHits(
  address: string,
  query: string,
  from: number,
  signal: AbortSignal,
): Promise<SearchResult> {
  const response = await fetch(`${address}?${new URLSearchParams({ q: query, from: String(from) })}`, { signal })
  if (!response.ok) throw new Error(`The search was answered with ${response.status}`)
  return (await response.json()) as SearchResult
}
