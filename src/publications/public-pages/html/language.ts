import { preferredLanguage } from '#platform/http/negotiation.ts'

/** Languages of the interface; documents may be in any. */
export type InterfaceLanguage = 'en' | 'fr'

/** Returns the language of the interface by `Accept-Language`; English if none is accepted. */
export function interfaceLanguage(acceptLanguage: string | undefined): InterfaceLanguage {
  return preferredLanguage(acceptLanguage, ['en', 'fr']) ?? 'en'
}

/** Returns the language of a document as a canonical tag (BCP 47); undefined if the file has no valid one. */
export function documentLanguage(tag: string | undefined): string | undefined {
  try {
    // Some files write `en_US`.
    return tag === undefined ? undefined : Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}
