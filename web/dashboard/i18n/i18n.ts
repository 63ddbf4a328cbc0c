import { translations } from 'virtual:translations'
import i18next from 'i18next'
import { initReactI18next, useTranslation } from 'react-i18next'
import type { KeyOf, Translate } from '../../../src/platform/basics/translate.ts'
import { storedText, storeText } from '../../ui/stored-text.ts'
import { en, type Key } from './en.ts'

/** Codes of the languages that have texts. */
export const LANGUAGES: readonly string[] = [...new Set(['en', ...Object.keys(translations).sort()])]

const STORED_AS = 'trackpress-language'

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false
    nsSeparator: false
    resources: { translation: Record<Key, string> }
  }
}

/**
 * Starts i18next in a language; without one in that chosen in this browser, or in the browser's first language that has
 * texts.
 */
export async function startTexts(language?: string): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  const lng = language ?? storedLanguage() ?? preferredLanguage(navigator.languages)
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    supportedLngs: LANGUAGES,
    keySeparator: false,
    nsSeparator: false,
    resources: {
      en: { translation: en },
      ...(lng in translations ? { [lng]: { translation: await loadTexts(lng) } } : {}),
    },
    interpolation: { escapeValue: false },
  })
}

/** Returns the first of these languages that has texts; English without any. */
function preferredLanguage(languages: readonly string[]): string {
  const codes = languages.map((language) => language.split('-')[0].toLowerCase())
  return codes.find((code) => LANGUAGES.includes(code)) ?? 'en'
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
    await i18next.changeLanguage(language)
  } catch {
    // A new version of the server has other files. With the language stored, its page begins in it.
    location.reload()
  }
}

/** A language is loaded by its readers. English is also the fallback for a missing text. */
async function loadTexts(language: string): Promise<Record<string, string>> {
  return (await translations[language]()).texts
}

function storedLanguage(): string | undefined {
  const stored = storedText(STORED_AS)
  return LANGUAGES.find((language) => language === stored)
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
