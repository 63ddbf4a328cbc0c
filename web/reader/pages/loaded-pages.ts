import { type ReaderData, readData } from '../state/reader-data.ts'

/** The pages that are in the HTML: a part of a long document, which gives way to another when that is needed. */
export type LoadedPages = {
  readonly from: number
  readonly to: number
  sections(): HTMLElement[]
  section(page: number): HTMLElement | undefined
  /** Brings the part with a page, if it is not here. @throws Error where it cannot be had */
  bring(page: number): Promise<void>
  /** Asks for it in advance. */
  expect(page: number): void
  /** Called with the sections that are here now, at once and whenever they change. */
  follow(listener: (sections: HTMLElement[]) => void): void
}

export function createLoadedPages(main: HTMLElement, data: ReaderData): LoadedPages {
  let { from, to } = data
  const listeners: ((sections: HTMLElement[]) => void)[] = []
  const expected = new Map<number, Promise<Document>>()
  const partLength = data.to - data.from + 1

  const sections = () => [...main.querySelectorAll<HTMLElement>('section.page')]
  const isHere = (page: number) => page >= from && page <= to

  function ask(page: number): Promise<Document> {
    // All parts but the last are of one length; what is asked for twice is asked for by one number.
    const key = from > 1 || to < data.pageCount ? Math.floor((page - from) / partLength) * partLength + from : page
    const asked = expected.get(key)
    if (asked !== undefined) return asked
    const answer = fetchPart(page)
    expected.set(key, answer)
    answer.then(
      () => setTimeout(() => expected.delete(key), 30_000),
      () => expected.delete(key),
    )
    return answer
  }

  function put(part: Document): void {
    const fresh = readData(part)
    const its = part.getElementById('pages')
    if (fresh === undefined || its === null) throw new Error('There are no pages in the answer')
    main.replaceChildren(...[...its.childNodes].map((node) => document.importNode(node, true)))
    ;({ from, to } = fresh)
    // Addresses of pages are relative to the part: going back leads to where it was.
    const address = new URL(location.href)
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
    section: (page) => document.getElementById(`page-${page}`) ?? undefined,
    async bring(page) {
      if (isHere(page)) return
      const part = await ask(page)
      if (!isHere(page)) put(part)
    },
    expect(page) {
      if (page >= 1 && page <= data.pageCount && !isHere(page)) ask(page).catch(() => {})
    },
    follow(listener) {
      listeners.push(listener)
      listener(sections())
    },
  }
}

async function fetchPart(page: number): Promise<Document> {
  const response = await fetch(`${location.pathname}?from=${page}`, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(`The part was answered with ${response.status}`)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** The number of the page that a section is of. */
export function pageOf(section: HTMLElement): number {
  return Number(section.dataset.page)
}

/** What the document calls the page of a section: `iv`, or its number. */
export function labelOf(section: HTMLElement): string {
  const link = section.querySelector('h2 a')
  const text = link?.firstChild?.textContent ?? ''
  return text.trim().split(/\s/).slice(1).join(' ') || String(pageOf(section))
}
