import { LRUCache } from 'lru-cache'
import type { SearchableText } from './search-texts.ts'

/** Keeps the texts that were searched last, up to a number of characters: folding takes longer than searching. */
export function createTextsCache<Kept extends { texts: SearchableText[] }>(maxCharacters: number) {
  return new LRUCache<string, Kept>({
    maxSize: maxCharacters,
    sizeCalculation: ({ texts }) => texts.reduce((sum, { text, folded }) => sum + text.length + folded.length, 1),
  })
}
