import { createTranslate, type KeyOf, type Translate } from '../../src/platform/basics/translate.ts'
import english from '../locales/en/reader.json'

/** Returns a text of the reader's interface. */
export type ReaderTranslate = Translate<KeyOf<typeof english>>

const CATALOGUES = import.meta.glob<Record<string, string>>('../locales/*/reader.json', {
  eager: true,
  import: 'default',
})

/** Tells whether the reader has texts in a language. */
export function hasReaderTexts(language: string): boolean {
  return `../locales/${language}/reader.json` in CATALOGUES
}

/** Returns the texts of the reader in a language; in English if it has none in that one. */
export function readerTexts(language: string): ReaderTranslate {
  const catalogue = CATALOGUES[`../locales/${language}/reader.json`]
  return catalogue === undefined ? createTranslate(english, 'en') : createTranslate(catalogue, language)
}
