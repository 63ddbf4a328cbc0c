/** What the server found: pages with their hits, and what stands around the first of them. */
export type SearchAnswer = {
  hits: number
  pages_searched: number
  page_count: number
  pages: { page: number; hits: number }[]
  snippets: { page: number; text: string; from: number; to: number }[]
}

export async function askForHits(
  address: string,
  query: string,
  from: number,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const response = await fetch(`${address}?${new URLSearchParams({ q: query, from: String(from) })}`, { signal })
  if (!response.ok) throw new Error(`The search was answered with ${response.status}`)
  return (await response.json()) as SearchAnswer
}
