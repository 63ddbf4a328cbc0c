/**
 * Inserts the spaces of French punctuation, so that no line begins with a question mark: narrow and unbreakable
 * before `;`, `!` and `?`, unbreakable before `:` and `%` (Lexique des règles typographiques).
 */
export function withFrenchSpaces<Texts extends Record<string, string>>(texts: Texts): Texts {
  const spaced = (text: string) => text.replace(/ (?=[;!?])/g, '\u202f').replace(/ (?=[:%»])|(?<=«) /g, '\u00a0')
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, spaced(text)])) as Texts
}
