import type { ReadingState, View } from './reader-state.ts'

/** Where somebody was in a publication when they left. */
export type Place = { page: number; view: View }

/** The page that an address names, `#page-12`. */
export function pageInAddress(hash: string): number | undefined {
  const number = /^#page-([1-9]\d{0,6})$/.exec(hash)?.[1]
  return number === undefined ? undefined : Number(number)
}

export function rememberedPlace(slug: string): Place | undefined {
  try {
    const { page, view } = JSON.parse(localStorage.getItem(keyOf(slug)) ?? '') as Place
    const isView = view === 'scroll' || view === 'single' || view === 'spread'
    return Number.isSafeInteger(page) && page >= 1 && isView ? { page, view } : undefined
  } catch {
    // Nothing is remembered, or the browser keeps nothing.
    return undefined
  }
}

/** Long enough for what is scrolled through not to be written down. */
const SETTLED_MS = 250

/** Writes the page into the address and remembers it, once somebody stays there. */
export function keepPlace(slug: string, state: ReadingState): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    const { page, view } = state.now
    // The beginning needs no place in the address, unless there is one already.
    if (page > 1 || pageInAddress(location.hash) !== undefined) {
      const address = new URL(location.href)
      address.hash = `page-${page}`
      if (address.href !== location.href) history.replaceState(history.state, '', address)
    }
    try {
      localStorage.setItem(keyOf(slug), JSON.stringify({ page, view }))
    } catch {
      // Private windows and full disks keep nothing; the next visit begins at the beginning.
    }
  }
  state.follow((now, before) => {
    if (now.page === before.page && now.view === before.view) return
    clearTimeout(timer)
    timer = setTimeout(write, SETTLED_MS)
  })
  addEventListener('pagehide', () => {
    if (timer !== undefined) write()
  })
}

/** The script in the head of the page, which keeps it back from those who have a place, knows this key as well. */
function keyOf(slug: string): string {
  return `reader/${slug}`
}
