import { type ReaderData, readData } from './reader-state.ts'
import { request } from './request-failure.ts'

export type LoadedPages = ReturnType<typeof createLoadedPages>

/** Parts in the HTML at a time: the browser lays out no more pages quickly, and a phone has memory for no more. */
const MAX_PARTS = 2

/**
 * Holds the pages in the HTML: all of a document, or one part of a long one. Another part can replace it, or be put
 * beside it for readers who scroll on.
 */
export function createLoadedPages(main: HTMLElement, data: ReaderData) {
  let parts: Part[] = [partOf(data, main)]
  const listeners: ((sections: HTMLElement[]) => void)[] = []
  const request = createPartLoader(data)

  const sections = () => [...main.querySelectorAll<HTMLElement>('section.page')]
  const section = (page: number) => document.getElementById(`page-${page}`) ?? undefined
  const isLoaded = (page: number) => page >= parts[0].from && page <= parts[parts.length - 1].to

  function replacePages(part: Part): void {
    parts = [part]
    main.replaceChildren(...part.sections)
    linkNeighbours()
    // Page anchors belong to a part, so the address has to name it for a reload or a shared link.
    const address = new URL(location.href)
    address.searchParams.delete('page')
    if (part.from === 1) address.searchParams.delete('from')
    else address.searchParams.set('from', String(part.from))
    history.replaceState(history.state, '', address)
    for (const listener of listeners) listener(sections())
  }

  /** Puts a part after the others, or before them with -1. Removes the one at the other end if they are too many. */
  function addPages(by: 1 | -1, part: Part): void {
    const isAfter = by === 1
    const removed = parts.length < MAX_PARTS ? undefined : isAfter ? parts[0] : parts[parts.length - 1]
    const kept = parts.filter((each) => each !== removed)
    parts = isAfter ? [...kept, part] : [part, ...kept]
    for (const section of sections()) if (!isLoaded(pageOf(section))) section.remove()
    if (isAfter) main.append(...part.sections)
    else main.prepend(...part.sections)
    linkNeighbours()
    for (const listener of listeners) listener(sections())
  }

  /** Puts the links to the parts that are not loaded around the pages. */
  function linkNeighbours(): void {
    for (const links of main.querySelectorAll('.parts')) links.remove()
    main.prepend(...parts[0].before)
    main.append(...parts[parts.length - 1].after)
  }

  return {
    get from() {
      return parts[0].from
    },
    get to() {
      return parts[parts.length - 1].to
    },
    /** The first page of the part that has a loaded page, by which the server finds the part. */
    partStart: (page: number) => parts.findLast(({ from }) => from <= page)?.from ?? 1,
    sections,
    section,
    /** The document's own label of a page, such as `iv`; its number until the page is loaded. */
    label(page: number): string {
      const loaded = section(page)
      return loaded === undefined ? String(page) : labelOf(loaded)
    },
    /** Loads the part that has a page, unless it is loaded. @throws RequestFailure */
    async load(page: number): Promise<void> {
      if (isLoaded(page)) return
      const part = partIn(await request(page))
      if (!isLoaded(page)) replacePages(part)
    },
    /**
     * Loads the part after the loaded pages, or before them with -1, and puts it beside them if it is still wanted.
     * @param place calls its argument, which changes the pages, and keeps what is on the screen where it is
     * @throws RequestFailure
     */
    async extend(by: 1 | -1, isWanted: () => boolean, place: (change: () => void) => void): Promise<void> {
      const next = () => (by === 1 ? parts[parts.length - 1].to + 1 : parts[0].from - 1)
      const page = next()
      if (page < 1 || page > data.pageCount) return
      const part = partIn(await request(page))
      if (page === next() && !isLoaded(page) && isWanted()) place(() => addPages(by, part))
    },
    /** Requests the part that has a page in advance. */
    prefetch(page: number): void {
      if (page >= 1 && page <= data.pageCount && !isLoaded(page)) request(page).catch(() => {})
    },
    /** Calls the listener with the loaded sections, at once and whenever they change. */
    subscribe(listener: (sections: HTMLElement[]) => void): void {
      listeners.push(listener)
      listener(sections())
    },
  }
}

/** Pages of a long document that the server sends together, and the links to the parts before and after them. */
type Part = { from: number; to: number; sections: Element[]; before: Element[]; after: Element[] }

/** Returns the pages in the HTML of a part, as elements of this page. */
function partIn(html: Document): Part {
  const data = readData(html)
  const pages = html.getElementById('pages')
  if (data === undefined || pages === null) throw new Error('The response has no pages')
  return partOf(data, document.importNode(pages, true))
}

function partOf({ from, to }: ReaderData, main: HTMLElement): Part {
  const links = [...main.querySelectorAll('.parts')]
  // Only the first part has no links before it.
  const beforeCount = from === 1 ? 0 : 1
  return {
    from,
    to,
    sections: [...main.querySelectorAll('section.page')],
    before: links.slice(0, beforeCount),
    after: links.slice(beforeCount),
  }
}

/** Returns a function that requests the part with a page, once for all who want it within half a minute. */
function createPartLoader({ from, to }: ReaderData): (page: number) => Promise<Document> {
  const requests = new Map<number, Promise<Document>>()
  const partLength = to - from + 1
  return (page) => {
    // All parts but the last have the same length, so every page of a part leads to the same key.
    const key = Math.floor((page - from) / partLength) * partLength + from
    const pending = requests.get(key)
    if (pending !== undefined) return pending
    const answer = fetchPart(page)
    requests.set(key, answer)
    answer.then(
      () => setTimeout(() => requests.delete(key), 30_000),
      () => requests.delete(key),
    )
    return answer
  }
}

async function fetchPart(page: number): Promise<Document> {
  const response = await request(`${location.pathname}?from=${page}`, { headers: { accept: 'text/html' } })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Returns the number of the page in a section. */
export function pageOf(section: HTMLElement): number {
  return Number(section.dataset.page)
}

/** Returns the height of a page divided by its width. */
export function aspectOf({ dataset }: HTMLElement): number {
  return Number(dataset.height) / Number(dataset.width)
}

/** Returns the document's own label of the page in a section, such as `iv`, or its number. */
function labelOf(section: HTMLElement): string {
  const link = section.querySelector('h2 a')
  const text = link?.firstChild?.textContent ?? ''
  return text.trim().split(/\s/).slice(1).join(' ') || String(pageOf(section))
}

/** Returns a list of image addresses with the address that their page was given last. */
export function currentAddresses(section: HTMLElement, addresses: string): string {
  const { address } = section.dataset
  return address === undefined
    ? addresses
    : addresses.replace(/\S+\/(\d+\.(?:webp|jpg))/g, (_, name) => `${address}/${name}`)
}

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

export type NearPages = ReturnType<typeof watchNearPages>

/** Half a screen above and below, so that a page is prepared before it is seen. */
const MARGIN = '50% 25%'

/** Watches which pages are on the screen or about to be. */
export function watchNearPages(pages: LoadedPages) {
  const near = new Set<HTMLElement>()
  const listeners: { onNear(section: HTMLElement): void; onFar?(section: HTMLElement): void }[] = []
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) change(target as HTMLElement, isIntersecting)
    },
    { rootMargin: MARGIN },
  )

  function change(section: HTMLElement, isNear: boolean): void {
    if (near.has(section) === isNear) return
    if (isNear) near.add(section)
    else near.delete(section)
    for (const { onNear, onFar } of listeners) (isNear ? onNear : onFar)?.(section)
  }

  const observed = new Set<HTMLElement>()
  pages.subscribe((sections) => {
    for (const section of observed) {
      if (section.isConnected) continue
      observer.unobserve(section)
      observed.delete(section)
      change(section, false)
    }
    for (const section of sections) {
      if (observed.has(section)) continue
      observed.add(section)
      observer.observe(section)
    }
  })

  return {
    near: () => [...near],
    /**
     * Calls `onNear` for each page that comes near, including pages already near, and `onFar` when it is left behind.
     */
    subscribe(onNear: (section: HTMLElement) => void, onFar?: (section: HTMLElement) => void): void {
      listeners.push({ onNear, onFar })
      for (const section of near) onNear(section)
    },
  }
}

/** Moves the focus to a page without scrolling, so that keys and screen readers go on from there. */
export function focusPage(section: HTMLElement): void {
  section.tabIndex = -1
  section.focus({ preventScroll: true })
}
