import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { en, type Key } from './en.ts'
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
  const lng = language ?? storedLanguage() ?? preferredLanguage(navigator.languages)
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: 'en',
    supportedLngs: Object.keys(LANGUAGES),
    keySeparator: false,
    nsSeparator: false,
    resources: {
      en: { translation: en },
      ...(lng.startsWith('fr') ? { fr: { translation: await frenchTexts() } } : {}),
    },
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
  void changeLanguage(language)
}

async function changeLanguage(language: Language): Promise<void> {
  try {
    if (language === 'fr' && !i18next.hasResourceBundle('fr', 'translation')) {
      i18next.addResourceBundle('fr', 'translation', await frenchTexts())
    }
    await i18next.changeLanguage(language)
  } catch {
    // A new version of the server has other files. With the language stored, its page begins in it.
    location.reload()
  }
}

/** French is loaded by those who read it. English is also what a missing text falls back to. */
async function frenchTexts() {
  const { fr } = await import('./fr.ts')
  return withFrenchSpaces(fr)
}

function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(STORED_AS)
    return stored !== null && stored in LANGUAGES ? (stored as Language) : undefined
  } catch {
    return undefined
  }
}
