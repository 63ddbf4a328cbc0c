/**
 * Returns the text by which a track is found. The title comes first, so that the text also sorts tracks by title. Case and
 * accents are removed, because SQLite's `lower` handles only ASCII and people type `ete` for `Été`.
 */
export function searchText(title: string, deviceTrackId: string, userId: string | null): string {
  return foldText(`${title}\n${deviceTrackId}\n${userId ?? ''}`)
}

/** Removes case and accents, and replaces compatibility forms such as full-width letters. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
