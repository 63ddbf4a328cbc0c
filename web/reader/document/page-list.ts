import { currentAddresses, type LoadedPages, labelOf, pageOf } from './loaded-pages.ts'
import type { ReaderData } from './reader-state.ts'
import { request } from './request-failure.ts'

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
  const addresses = currentAddresses(section, source?.dataset.srcset ?? source?.srcset ?? '')
  const images = addresses.split(',').map((image) => image.trim().split(' ')[0])
  return { page: pageOf(section), label: labelOf(section), thumbnail: images[0], image: images[images.length - 1] }
}

/** A rectangle on a page, in fractions of the page's width and height. */
export type Box = { x: number; y: number; width: number; height: number }

/** A word and its box. */
export type Word = Box & { text: string; line: number }

/** Covers the pages around the current one. */
const MAX_CACHED_PAGES = 30

/** Returns a function that fetches the words of a page, and caches the words of recent pages. */
export function createWordLoader(address: string): (page: number) => Promise<Word[]> {
  const cache = new Map<number, Promise<Word[]>>()

  return (page) => {
    const loading = cache.get(page) ?? load(page)
    cache.delete(page)
    cache.set(page, loading)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED_PAGES) break
      cache.delete(oldest)
    }
    return loading
  }

  function load(page: number): Promise<Word[]> {
    const words = fetchWords(`${address}${page}`)
    words.catch(() => cache.delete(page))
    return words
  }
}

async function fetchWords(address: string): Promise<Word[]> {
  const response = await request(address)
  const { words } = (await response.json()) as { words: Word[] }
  return words.filter(({ width, height }) => width > 0 && height > 0)
}
