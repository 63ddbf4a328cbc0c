import { type ReaderData, readData } from './reader-state.ts'
import { request } from './request-failure.ts'

export type LoadedPages = ReturnType<typeof createLoadedPages>

/** Holds the pages in the HTML: all of a document, or one part of a long one, which another part can replace. */
export function createLoadedPages(main: HTMLElement, data: ReaderData) {
  let { from, to } = data
  const listeners: ((sections: HTMLElement[]) => void)[] = []
  const requests = new Map<number, Promise<Document>>()
  const partLength = data.to - data.from + 1

  const sections = () => [...main.querySelectorAll<HTMLElement>('section.page')]
  const isLoaded = (page: number) => page >= from && page <= to

  function request(page: number): Promise<Document> {
    // All parts but the last have the same length, so every page of a part leads to the same key.
    const key = from > 1 || to < data.pageCount ? Math.floor((page - from) / partLength) * partLength + from : page
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

  function replacePages(part: Document): void {
    const fresh = readData(part)
    const newMain = part.getElementById('pages')
    if (fresh === undefined || newMain === null) throw new Error('The response has no pages')
    main.replaceChildren(...[...newMain.childNodes].map((node) => document.importNode(node, true)))
    ;({ from, to } = fresh)
    // Page anchors belong to a part, so the address has to name it for a reload or a shared link.
    const address = new URL(location.href)
    address.searchParams.delete('page')
    if (from === 1) address.searchParams.delete('from')
    else address.searchParams.set('from', String(from))
    history.replaceState(history.state, '', address)
    for (const listener of listeners) listener(sections())
  }

  return {
    get from() {
      return from
    },
    get to() {
      return to
    },
    sections,
    section: (page: number) => document.getElementById(`page-${page}`) ?? undefined,
    /** Loads the part that has a page, unless it is loaded. @throws RequestFailure */
    async load(page: number): Promise<void> {
      if (isLoaded(page)) return
      const part = await request(page)
      if (!isLoaded(page)) replacePages(part)
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

async function fetchPart(page: number): Promise<Document> {
  const response = await request(`${location.pathname}?from=${page}`, { headers: { accept: 'text/html' } })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Returns the number of the page in a section. */
export function pageOf(section: HTMLElement): number {
  return Number(section.dataset.page)
}

/** Returns the document's own label of the page in a section, such as `iv`, or its number. */
export function labelOf(section: HTMLElement): string {
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

export type NearPages = ReturnType<typeof watchNearPages>

/** Half a screen above and below, so that a page is prepared before it is seen. */
const MARGIN = '50% 25%'

/** Watches which pages are on the screen or about to be. */
export function watchNearPages(pages: LoadedPages) {
  const near = new Set<HTMLElement>()
  const listeners: { onNear(section: HTMLElement): void; onFar(section: HTMLElement): void }[] = []
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
    for (const { onNear, onFar } of listeners) (isNear ? onNear : onFar)(section)
  }

  pages.subscribe((sections) => {
    observer.disconnect()
    for (const section of [...near]) change(section, false)
    for (const section of sections) observer.observe(section)
  })

  return {
    near: () => [...near],
    /**
     * Calls `onNear` for each page that comes near, including pages already near, and `onFar` when it is left behind.
     */
    subscribe(onNear: (section: HTMLElement) => void, onFar: (section: HTMLElement) => void): void {
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
