import { request } from '../requests/request-failure.ts'
import type { ReaderData } from '../state/reader-data.ts'
import { type LoadedPages, labelOf, pageOf } from './loaded-pages.ts'

/** A page's number, label and images, known without loading the page. */
export type PageSummary = { page: number; label: string; thumbnail: string; image: string }

const THUMBNAIL = '600.webp'
const IMAGE = '1200.webp'

type PageInApi = { page: number; label?: string; image: string }

/**
 * Lists all pages of the document, from the HTML if it has them all, and from the API otherwise.
 * @throws RequestFailure
 */
export async function readPageList(pages: LoadedPages, data: ReaderData): Promise<PageSummary[]> {
  if (pages.from === 1 && pages.to === data.pageCount) return pages.sections().map(fromSection)
  const response = await request(data.api)
  const publication = (await response.json()) as { pages: PageInApi[] }
  return publication.pages.map(({ page, label, image }) => ({
    page,
    label: label ?? String(page),
    thumbnail: `${image}/${THUMBNAIL}`,
    image: `${image}/${IMAGE}`,
  }))
}

function fromSection(section: HTMLElement): PageSummary {
  const source = section.querySelector('source')
  const images = (source?.dataset.srcset ?? source?.srcset ?? '').split(',').map((image) => image.trim().split(' ')[0])
  return { page: pageOf(section), label: labelOf(section), thumbnail: images[0], image: images[images.length - 1] }
}
