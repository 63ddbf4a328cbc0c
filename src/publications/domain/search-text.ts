/**
 * Returns the text that searches of the library compare. The title comes first, so that the text also gives the
 * alphabetical order of titles. It has no case and no accents, because SQLite's `lower` knows
 * only ASCII and people type `ete` for `Été`.
 */
export function searchText(title: string, slug: string): string {
  return foldText(`${title}\n${slug}`)
}

/** Returns text in lower case without accents; compatibility forms, such as wide letters, become ordinary ones. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
