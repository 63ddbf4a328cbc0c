/**
 * Returns the text in which a track is searched. The title comes first, so that the text also sorts by title. It has no
 * case and no accents, because SQLite's `lower` handles only ASCII and people type `ete` for `Été`.
 */
export function searchText(title: string, deviceTrackId: string, userId: string | null): string {
  return foldText(`${title}\n${deviceTrackId}\n${userId ?? ''}`)
}

/** Returns text in lower case without accents; compatibility forms, such as wide letters, become the usual ones. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
