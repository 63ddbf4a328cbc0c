import { preferredLanguage } from '#platform/http/negotiation.ts'

/** Languages of the interface; documents may be in any. */
export type InterfaceLanguage = 'en' | 'fr'

/** Returns the language of the interface by `Accept-Language`; English if none is accepted. */
export function interfaceLanguage(acceptLanguage: string | undefined): InterfaceLanguage {
  return preferredLanguage(acceptLanguage, ['en', 'fr']) ?? 'en'
}
