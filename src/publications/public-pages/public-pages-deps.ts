import type { RateLimit } from '#platform/http/rate-limit.ts'
import type { PageAddresses } from '../delivery/addresses.ts'
import type { FigureCounter } from '../figures/figure-counter.ts'
import type { Addresses } from '../model/config.ts'
import type { PublicPageStore } from '../model/public-page-store.ts'
import type { ReaderLinks } from '../model/reader-links.ts'
import type { ReaderPasswords } from '../model/reader-passwords.ts'
import type { DocumentSearch } from '../search/document-search.ts'
import type { Assets } from './assets.ts'

/** Parts that the routes of public pages are built from. */
export type PublicPagesDeps = {
  addresses: Addresses
  pageAddresses: PageAddresses
  pageAssets: Assets
  publicPages: PublicPageStore
  readerLinks: ReaderLinks
  readerPasswords: ReaderPasswords
  documentSearch: DocumentSearch
  figureCounter: FigureCounter
  now: () => number
  /** The limit of the API, for which searches count, as the page itself does not. */
  searchLimit: RateLimit | undefined
}
