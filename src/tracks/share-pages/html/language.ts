import { preferredLanguage } from '#platform/http/negotiation.ts'

/** Languages of the spectators' pages. */
export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Returns the language of a page: the one that its address asks for, otherwise the one that the browser prefers;
 * English if neither is known.
 */
export function pageLanguage(asked: unknown, acceptLanguage: string | undefined): Language {
  return LANGUAGES.find((language) => language === asked) ?? preferredLanguage(acceptLanguage, LANGUAGES) ?? 'en'
}
