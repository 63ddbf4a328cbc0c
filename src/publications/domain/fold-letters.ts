/**
 * Folds letters for a search, identically on the server and in the reader: without case, accents and soft hyphens, with
 * plain apostrophes and quotation marks; compatibility forms, such as the ligature `ﬁ`, become their letters.
 */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u00ad]/gu, '')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„″]/g, '"')
    .toLowerCase()
}
