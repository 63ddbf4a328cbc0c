import { furtherTranslations, translations } from 'virtual:translations'
import { storedText } from '../../ui/stored-text.ts'

/** Codes of the languages that have texts. */
export const LANGUAGES: readonly string[] = [...new Set(['en', ...Object.keys(translations).sort()])]

/** The name under which the browser keeps the language that was chosen in it. */
export const STORED_AS = 'trackpress-language'

type Texts = Record<string, string>

/** Returns the language chosen in this browser, or the browser's first one that has texts; English without any. */
export function firstLanguage(): string {
  const stored = storedText(STORED_AS)
  const codes = navigator.languages.map((language) => language.split('-')[0].toLowerCase())
  return [...(stored === undefined ? [] : [stored]), ...codes].find((code) => LANGUAGES.includes(code)) ?? 'en'
}

/** Loads the texts of a live map and its frame. A language is loaded by its readers. */
export async function loadTexts(language: string): Promise<Texts> {
  return (await translations[language]?.())?.texts ?? {}
}

/** Loads the texts of all other pages. */
export async function loadFurtherTexts(language: string): Promise<Texts> {
  return (await furtherTranslations[language]?.())?.texts ?? {}
}
