import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en, type Key } from './en.ts'
import { fr } from './fr.ts'
import { withFrenchSpaces } from './french-spaces.ts'

export const LANGUAGES = { en: 'English', fr: 'Français' } as const
export type Language = keyof typeof LANGUAGES

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
  await i18next.use(initReactI18next).init({
    lng: language ?? storedLanguage() ?? preferredLanguage(navigator.languages),
    fallbackLng: 'en',
    supportedLngs: Object.keys(LANGUAGES),
    keySeparator: false,
    nsSeparator: false,
    resources: { en: { translation: en }, fr: { translation: withFrenchSpaces(fr) } },
    interpolation: { escapeValue: false },
  })
}

/** Returns the first of these languages that has texts; English without any. */
export function preferredLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    const code = language.slice(0, 2).toLowerCase()
    if (code in LANGUAGES) return code as Language
  }
  return 'en'
}

/** Changes the language of the page, for this browser. */
export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(STORED_AS, language)
  } catch {
    // Without storage, the choice holds until the page is closed.
  }
  void i18next.changeLanguage(language)
}

function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(STORED_AS)
    return stored !== null && stored in LANGUAGES ? (stored as Language) : undefined
  } catch {
    return undefined
  }
}
