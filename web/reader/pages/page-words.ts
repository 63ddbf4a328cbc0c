/** A word and its place, in parts of the page. */
export type Word = { text: string; line: number; x: number; y: number; width: number; height: number }

/** Pages whose words are kept: those around where somebody reads. */
const MAX_KEPT = 30

/** Asks for the words of pages, each once while it is kept. */
export function createPageWords(address: string): (page: number) => Promise<Word[]> {
  const kept = new Map<number, Promise<Word[]>>()

  return (page) => {
    const known = kept.get(page) ?? ask(page)
    kept.delete(page)
    kept.set(page, known)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return known
  }

  function ask(page: number): Promise<Word[]> {
    const words = fetchWords(`${address}${page}`)
    words.catch(() => kept.delete(page))
    return words
  }
}

async function fetchWords(address: string): Promise<Word[]> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The words were answered with ${response.status}`)
  const { words } = (await response.json()) as { words: Word[] }
  return words.filter(({ width, height }) => width > 0 && height > 0)
}
