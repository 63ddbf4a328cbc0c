import { request } from '../requests/request-failure.ts'

/** Pages with their number of hits, and the text around the first hits of each. */
export type SearchResult = {
  hits: number
  pages_searched: number
  pages_without_text: number
  page_count: number
  pages: { page: number; hits: number }[]
  snippets: { page: number; text: string; from: number; to: number }[]
}

/** Searches on the server. @throws RequestFailure, and the reason of the signal if it aborts */
export async function fetchHits(
  address: string,
  query: string,
  from: number,
  signal: AbortSignal,
): Promise<SearchResult> {
  const response = await request(`${address}?${new URLSearchParams({ q: query, from: String(from) })}`, { signal })
  return (await response.json()) as SearchResult
}
