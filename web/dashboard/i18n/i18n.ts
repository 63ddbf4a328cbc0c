import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { KeyOf, Translate } from '../../../src/platform/basics/translate.ts'
import { storeText } from '../../ui/stored-text.ts'
import type { Key } from './en.ts'
import { firstLanguage, LANGUAGES, loadFurtherTexts, loadTexts, STORED_AS } from './language.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: { translation: Record<Key, string> }
  }
}

/**
 * Starts i18next in a language, by default that of this browser. The texts of a live map and its frame are there then;
 * {@link allTexts} waits for the others.
 */
export async function startTexts(language = firstLanguage()): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    supportedLngs: LANGUAGES,
    keySeparator: false,
    nsSeparator: false,
    resources: { [language]: { translation: await loadTexts(language) } },
    interpolation: { escapeValue: false },
  })
}

/** The loading of all texts, by language; true once they are there. */
const complete = new Map<string, Promise<void> | true>()

/** Loads the texts of all pages. Undefined once they are there, and before there is a language. */
export function allTexts(language?: string): Promise<void> | undefined {
  const wanted = language ?? i18next.language
  return wanted === undefined ? undefined : completeTexts(wanted)
}

function completeTexts(language: string): Promise<void> | undefined {
  const known = complete.get(language)
  if (known !== undefined) return known === true ? undefined : known
  const loading = addFurtherTexts(language)
  complete.set(language, loading)
  return loading
}

async function addFurtherTexts(language: string): Promise<void> {
  try {
    i18next.addResourceBundle(language, 'translation', await loadFurtherTexts(language), true)
    complete.set(language, true)
  } catch (error) {
    complete.delete(language)
    throw error
  }
}

/** Changes the language of the page, for this browser. */
export function chooseLanguage(language: string): void {
  storeText(STORED_AS, language)
  void changeLanguage(language)
}

async function changeLanguage(language: string): Promise<void> {
  try {
    if (!i18next.hasResourceBundle(language, 'translation')) {
      i18next.addResourceBundle(language, 'translation', await loadTexts(language))
    }
    await allTexts(language)
    await i18next.changeLanguage(language)
  } catch {
    // A new version of the server has other files. With the language stored, its page begins in it.
    location.reload()
  }
}

/**
 * Adds an area of texts that only some pages have, so that it is loaded with them.
 * @param files the texts of the area by path, which contains the language: `locales/en/administration.json`
 * @returns a hook for these texts, and for those of all pages
 */
export function createAreaTexts<Texts extends object>(area: string, files: Record<string, Texts>) {
  for (const [path, texts] of Object.entries(files)) i18next.addResourceBundle(path.split('/').at(-2)!, area, texts)
  // i18next knows the types of one area only.
  const areas = [area, 'translation'] as 'translation'[]
  return () => useTranslation(areas, { nsMode: 'fallback' }).t as unknown as Translate<KeyOf<Texts> | Key>
}
