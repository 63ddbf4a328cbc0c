import type { ReaderData } from '../state/reader-data.ts'
import { type LoadedPages, labelOf, pageOf } from './loaded-pages.ts'

/** What is known of a page without loading it. */
export type CataloguedPage = { page: number; label: string; thumbnail: string; image: string }

const THUMBNAIL = '600.webp'
const IMAGE = '1200.webp'

type PageInApi = { page: number; label?: string; image: string }

/** All pages of the document: those of this HTML page, or, where there are more, what the API says of all. */
export async function readCatalogue(pages: LoadedPages, data: ReaderData): Promise<CataloguedPage[]> {
  if (pages.from === 1 && pages.to === data.pageCount) return pages.sections().map(fromSection)
  const response = await fetch(data.api)
  if (!response.ok) throw new Error(`The pages were answered with ${response.status}`)
  const publication = (await response.json()) as { pages: PageInApi[] }
  return publication.pages.map(({ page, label, image }) => ({
    page,
    label: label ?? String(page),
    thumbnail: `${image}/${THUMBNAIL}`,
    image: `${image}/${IMAGE}`,
  }))
}

function fromSection(section: HTMLElement): CataloguedPage {
  const source = section.querySelector('source')
  const images = (source?.dataset.srcset ?? source?.srcset ?? '').split(',').map((image) => image.trim().split(' ')[0])
  return { page: pageOf(section), label: labelOf(section), thumbnail: images[0], image: images[images.length - 1] }
}
