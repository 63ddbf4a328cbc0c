import { type PageLink, unpackLinks } from '../../domain/page-content.ts'

/** Links in one HTML page; more are those of an index, or an attack. */
const MAX_LINKS = 5_000
/** The addresses of these links, which are written twice. Most have fewer than 100 characters. */
const MAX_ADDRESS_CHARACTERS = 1_000_000
/** Packed links to read from the database: 5,000 with long addresses that have nothing in common. */
export const READ_LINKS_BYTES = 1_048_576

/** Returns a function that unpacks the links of each page, as many as the HTML page may still hold. */
export function createLinkBudget(): (packed: Uint8Array | undefined) => PageLink[] {
  let linksLeft = MAX_LINKS
  let charactersLeft = MAX_ADDRESS_CHARACTERS
  return (packed) => {
    if (packed === undefined || linksLeft <= 0) return []
    const shown: PageLink[] = []
    for (const link of unpackLinks(packed).slice(0, linksLeft)) {
      charactersLeft -= link.uri?.length ?? 0
      if (charactersLeft < 0) {
        linksLeft = 0
        return shown
      }
      shown.push(link)
    }
    linksLeft -= shown.length
    return shown
  }
}
