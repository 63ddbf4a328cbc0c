import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import Negotiator from 'negotiator'
import { type Catalogue, createTranslate, type Translate } from '../basics/translate.ts'

/** A header beyond this is cut off: parsing takes time for each of its commas, and no browser names so much. */
const MAX_HEADER_LENGTH = 1_000

/**
 * Reads the texts of pages in every language. The catalogues lie in one folder, such as `texts.en.json` and
 * `texts.fr.json`, so that a file more is a language more.
 * @param english address of the English catalogue
 */
export function readPageTexts<Key extends string>(english: URL) {
  const start = basename(fileURLToPath(english)).replace(/en\.json$/, '')
  const others = readdirSync(new URL('.', english))
    .filter((file) => file.startsWith(start) && file.endsWith('.json'))
    .map((file) => file.slice(start.length, -'.json'.length))
    .filter((language) => language !== 'en')
  const languages: readonly string[] = ['en', ...others.sort()]
  const texts = new Map(
    languages.map((language) => {
      const file = new URL(`${start}${language}.json`, english)
      return [language, createTranslate<Key>(JSON.parse(readFileSync(file, 'utf8')) as Catalogue, language)]
    }),
  )
  return {
    /** Codes of the languages, English first. */
    languages,

    /** Returns the texts of a language, which is one of these. */
    of: (language: string): Translate<Key> => texts.get(language)!,

    /**
     * Returns the language of a page: the one that its address asks for, otherwise the one that `Accept-Language`
     * prefers (RFC 9110, 12.5.4); English if neither is known.
     */
    languageFor(acceptLanguage: string | undefined, asked?: unknown): string {
      const headers = { 'accept-language': acceptLanguage?.slice(0, MAX_HEADER_LENGTH) }
      return languages.find((language) => language === asked) ?? new Negotiator({ headers }).language(languages) ?? 'en'
    },
  }
}
