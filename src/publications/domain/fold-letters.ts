/**
 * Letters as a search compares them, on the server and in the reader alike: without case and accents, with plain
 * apostrophes and quotation marks, without soft hyphens; compatibility forms, such as the ligature `ﬁ`, as their letters.
 */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u00ad]/gu, '')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .toLowerCase()
}
