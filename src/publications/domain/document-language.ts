/** Returns the language of a document as a canonical tag (BCP 47); undefined if the text is no valid one. */
export function documentLanguage(tag: string | undefined): string | undefined {
  try {
    // Some files write `en_US`.
    return tag === undefined ? undefined : Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}
