/** Languages that the pages' own words exist in; documents have any. */
export type InterfaceLanguage = 'en' | 'fr'

/** A language and how much it is wanted. */
const RANGE = /^([a-z]{1,8}|\*)(?:-[a-z\d-]*)?$/i

/**
 * The language of the page's own words by `Accept-Language` (RFC 9110, 12.5.4): of those we have the one that is wanted
 * most, at equal weights the first named, and English where none is.
 */
export function interfaceLanguage(acceptLanguage: string | undefined): InterfaceLanguage {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 1_000)
    .split(',')
    .map((entry) => {
      const [range, ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
      return { language: RANGE.exec(range)?.[1].toLowerCase(), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  const known = wanted.find(({ language }) => language === 'fr' || language === 'en' || language === '*')
  return known?.language === 'fr' ? 'fr' : 'en'
}

/** A document's language as a tag in its normal form (BCP 47); undefined where what the file has is none. */
export function documentLanguage(tag: string | undefined): string | undefined {
  try {
    // Files write `en_US`, too.
    return tag === undefined ? undefined : Intl.getCanonicalLocales(tag.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}
