/**
 * What a track is found by, with its title first, so that it gives the alphabetical order of titles, too: without case
 * and without accents, because SQLite's `lower` knows ASCII alone and people type `ete` for `Été`.
 */
export function searchText(title: string, deviceTrackId: string, userId: string | null): string {
  return foldText(`${title}\n${deviceTrackId}\n${userId ?? ''}`)
}

/** Text in lower case without accents; compatibility forms, such as wide letters, become the usual ones. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
