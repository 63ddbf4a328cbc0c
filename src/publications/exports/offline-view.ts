import type { Addresses } from '../model/config.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import type { PublicPageStore, ShownPublication } from '../model/public-page-store.ts'
import { siteOf } from '../model/sites.ts'
import { shownStatements } from '../model/statements.ts'
import { buildView, EXCERPT_LIMITS } from '../public-pages/build-view.ts'
import type { FaceView } from '../public-pages/face-view.ts'
import { interfaceLanguage } from '../public-pages/interface-texts.ts'
import { type Part, type PublicPageView, partAt } from '../public-pages/page-view.ts'

/** Returns the parts in which the pages of a document are written. */
export function partsOf(pageCount: number): Part[] {
  const parts: Part[] = []
  for (let from = 1; from <= pageCount; from = parts.at(-1)!.to + 1) parts.push(partAt(from, pageCount))
  return parts
}

/** Returns the data of a part of a publication in a folder: all that it loads is beside it. */
export async function offlineView(
  deps: { publicPages: PublicPageStore; addresses: Addresses },
  publication: ShownPublication,
  part: Part,
  hasReader: boolean,
): Promise<PublicPageView> {
  const { language } = shownStatements(publication, JSON.parse(publication.facts) as DocumentFacts)
  const site = siteOf(deps.addresses, publication.domain)
  const view = buildView(
    { ...publication, isForEveryone: true, allow_download: 1, expires_at: null },
    await deps.publicPages.excerpts(publication.version_id, part, EXCERPT_LIMITS),
    {
      language: interfaceLanguage(language ?? undefined),
      form: 'page',
      part,
      assets: {
        root: 'assets',
        folder: 'assets',
        style: 'assets/public-page.css',
        script: '',
        ...(hasReader && { reader: 'assets/reader.js', firstPaint: 'assets/first-paint.js' }),
      },
    },
    {
      base: deps.addresses.base(),
      here: site,
      site,
      cdn: '',
      pathOf: ({ page }) => `images/${page}`,
      untilMs: undefined,
    },
  )
  return {
    ...view,
    isOffline: true,
    face: view.face && offlineFace(view.face),
    // A folder does not tell whether readers find its collection.
    collection: undefined,
    // A browser that opens the folder shows WebP.
    pages: view.pages.map((page) => ({
      ...page,
      jpeg: page.webp.at(-1)!.address,
      ...(page.fullText !== undefined && { fullText: `text/${page.page}.txt` }),
    })),
    addresses: {
      ...view.addresses,
      part: ({ from }) => (from === 1 ? 'index.html' : `from-${from}.html`),
      download: 'document.pdf',
      preview: { ...view.addresses.preview, address: 'images/1/1200.webp' },
      api: 'data',
    },
  }
}

function offlineFace({ logo, ...face }: FaceView): FaceView {
  return { ...face, ...(logo && { logo: { ...logo, path: '/logo.png' } }) }
}
