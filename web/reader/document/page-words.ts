import { request } from '../requests/request-failure.ts'

/** A rectangle on a page, in fractions of the page's width and height. */
export type Box = { x: number; y: number; width: number; height: number }

/** A word and its box. */
export type Word = Box & { text: string; line: number }

/** Covers the pages around the current one. */
const MAX_CACHED_PAGES = 30

/** Returns a function that fetches the words of a page, and caches those of the pages used last. */
export function createWordLoader(address: string): (page: number) => Promise<Word[]> {
  const cache = new Map<number, Promise<Word[]>>()

  return (page) => {
    const loading = cache.get(page) ?? load(page)
    cache.delete(page)
    cache.set(page, loading)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED_PAGES) break
      cache.delete(oldest)
    }
    return loading
  }

  function load(page: number): Promise<Word[]> {
    const words = fetchWords(`${address}${page}`)
    words.catch(() => cache.delete(page))
    return words
  }
}

async function fetchWords(address: string): Promise<Word[]> {
  const response = await request(address)
  const { words } = (await response.json()) as { words: Word[] }
  return words.filter(({ width, height }) => width > 0 && height > 0)
}
