import type { ReaderStore, View } from './reader-store.ts'

/** The page and the view of a reader, which the browser remembers for the next visit. */
export type ReadingPosition = { page: number; view: View; isText?: boolean }

/** Returns the page number in the hash of an address, `#page-12`. */
export function pageFromHash(hash: string): number | undefined {
  const number = /^#page-([1-9]\d{0,6})$/.exec(hash)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Reads the position saved for a publication; undefined if there is none. */
export function readSavedPosition(slug: string): ReadingPosition | undefined {
  try {
    const { page, view, isText } = JSON.parse(localStorage.getItem(storageKey(slug)) ?? '') as ReadingPosition
    const isView = view === 'scroll' || view === 'single' || view === 'spread'
    return Number.isSafeInteger(page) && page >= 1 && isView ? { page, view, isText: isText === true } : undefined
  } catch {
    // Nothing is saved, or storage is off.
    return undefined
  }
}

/** Pages passed while scrolling are not saved. */
const SETTLED_MS = 250

/** Keeps the address and the saved position up to date with the page on which the reader rests. */
export function savePosition(slug: string, store: ReaderStore): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    const { page, view, isText } = store.current
    // Page 1 needs no hash, unless there is one already.
    if (page > 1 || pageFromHash(location.hash) !== undefined) {
      const address = new URL(location.href)
      address.hash = `page-${page}`
      if (address.href !== location.href) history.replaceState(history.state, '', address)
    }
    try {
      localStorage.setItem(storageKey(slug), JSON.stringify({ page, view, isText }))
    } catch {
      // Private windows and full disks save nothing; the next visit starts at page 1.
    }
  }
  store.subscribe((now, before) => {
    if (now.page === before.page && now.view === before.view && now.isText === before.isText) return
    clearTimeout(timer)
    timer = setTimeout(write, SETTLED_MS)
  })
  addEventListener('pagehide', () => {
    if (timer !== undefined) write()
  })
}

/** The script in the head of the page, which hides it until a saved position is restored, uses this key as well. */
function storageKey(slug: string): string {
  return `reader/${slug}`
}
