/** The publication's data in its public page. */
export type ReaderData = {
  slug: string
  title: string
  pageCount: number
  /** The part of the document in this HTML page. */
  from: number
  to: number
  /** False if every page is an image without text, such as a scan. */
  hasText: boolean
  /** The page that the address names in its query. */
  openAt?: number
  documentLanguage?: string
  /** True if its pages turn from right to left. */
  isRightToLeft?: true
  interfaceLanguage: string
  page: string
  embed: string
  /** Undefined if the PDF is not offered. */
  download?: string
  api: string
  /** With a page number appended, the address of that page's words. */
  words: string
  search: string
  /** The address at which the images' addresses are listed; undefined if they never end. */
  images?: string
  /** The address for reading reports; undefined if reading is not counted. */
  reading?: string
}

/** Reads the data of a public page; undefined if it shows no publication. */
export function readData(from: Document): ReaderData | undefined {
  const text = from.getElementById('publication-data')?.textContent
  return text ? (JSON.parse(text) as ReaderData) : undefined
}

/** The ways to show pages: one below the other, one at a time, and two by two as in a book. */
export const VIEWS = ['scroll', 'single', 'spread'] as const
export type View = (typeof VIEWS)[number]
export type PanelName = 'contents' | 'thumbnails' | 'search'

export type PanelContent = {
  element: HTMLElement
  /** Called when the content has become visible. */
  open(): void | Promise<void>
}

/** The current page of a reader, and how it is shown. */
export type ReaderState = {
  page: number
  view: View
  /** True if the text of pages is shown instead of their images. */
  isText: boolean
  /** 1 fits the page, and is the usual size of text. */
  zoom: number
  /** Degrees by which all pages are turned clockwise: 0, 90, 180 or 270. */
  rotation: number
  panel: PanelName | undefined
}

export type ReaderStore = ReturnType<typeof createStore<ReaderState>>

/** Keeps a state, and tells the listeners about each change. */
export function createStore<State extends object>(initial: State) {
  let current = initial
  const listeners: ((now: State, before: State) => void)[] = []
  return {
    get current() {
      return current
    },
    /** Changes part of the state. */
    set(change: Partial<State>): void {
      const before = current
      current = { ...current, ...change }
      if (Object.keys(change).some((key) => current[key as keyof State] !== before[key as keyof State]))
        for (const listener of listeners) listener(current, before)
    },
    subscribe(listener: (now: State, before: State) => void): void {
      listeners.push(listener)
    },
  }
}
