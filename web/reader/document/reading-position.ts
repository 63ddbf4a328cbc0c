import { storeText } from '../../ui/stored-text.ts'
import type { LoadedPages } from './loaded-pages.ts'
import { type ReaderData, type ReaderStore, VIEWS, type View } from './reader-state.ts'

/** The page, the view and the rotation of a reader, which the browser remembers for the next visit. */
export type ReadingPosition = { page: number; view: View; isText?: boolean; rotation?: number }

/** Returns the page number in the hash of an address, `#page-12`. */
export function pageFromHash(hash: string): number | undefined {
  const number = /^#page-([1-9]\d{0,6})$/.exec(hash)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** Reads the position saved for a publication; undefined if there is none. */
export function readSavedPosition(slug: string): ReadingPosition | undefined {
  try {
    const {
      page,
      view,
      isText,
      rotation = 0,
    } = JSON.parse(localStorage.getItem(storageKey(slug)) ?? '') as ReadingPosition
    if (!Number.isSafeInteger(page) || page < 1 || !VIEWS.includes(view)) return undefined
    return { page, view, isText: isText === true, rotation: [90, 180, 270].includes(rotation) ? rotation : 0 }
  } catch {
    // Nothing is saved, or storage is off.
    return undefined
  }
}

/** Pages passed while scrolling are not saved. */
const SETTLED_MS = 250

/** Keeps the address and the saved position up to date with the page on which the reader rests. */
export function savePosition({ slug }: ReaderData, pages: LoadedPages, store: ReaderStore): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    const { page, view, isText, rotation } = store.current
    // Page 1 needs no hash, unless there is one already.
    if (page > 1 || pageFromHash(location.hash) !== undefined) {
      const address = new URL(location.href)
      address.hash = `page-${page}`
      // The address would name two pages. It names the part instead, which the anchor of the page belongs to.
      address.searchParams.delete('page')
      const part = pages.partStart(page)
      if (part > 1) address.searchParams.set('from', String(part))
      else address.searchParams.delete('from')
      if (address.href !== location.href) history.replaceState(history.state, '', address)
    }
    storeText(storageKey(slug), JSON.stringify({ page, view, isText, rotation }))
  }
  store.subscribe((now, before) => {
    const isKept = (['page', 'view', 'isText', 'rotation'] as const).every((key) => now[key] === before[key])
    if (isKept) return
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

/** A reader without any input for this long has stopped reading. */
const IDLE_MS = 60_000
/** A page on the screen for less was only passed. */
const MIN_VIEW_MS = 1_000

/** Reports the pages read and the reading time when the reader leaves, if the server counts reading. */
export function reportReading(address: string | undefined, store: ReaderStore, shown: () => number[]): void {
  if (address === undefined) return
  const seen = new Set<number>()
  /** Pages of earlier reports: coming back to one is not reading it again. */
  const reported = new Set<number>()
  let activeMs = 0
  let lastInputMs = performance.now()
  let lastTickMs = performance.now()
  let since = { page: store.current.page, at: performance.now() }

  for (const type of ['scroll', 'pointerdown', 'pointermove', 'keydown', 'touchstart'])
    addEventListener(type, () => (lastInputMs = performance.now()), { passive: true, capture: true })
  setInterval(tick, 1_000)
  document.addEventListener('visibilitychange', () => {
    tick()
    if (document.visibilityState === 'hidden') send()
    lastTickMs = performance.now()
  })
  // Some browsers fire no visibilitychange when the page is left for another.
  addEventListener('pagehide', () => {
    tick()
    send()
  })

  function tick(): void {
    const now = performance.now()
    if (document.visibilityState === 'visible' && now - lastInputMs < IDLE_MS)
      activeMs += Math.min(now - lastTickMs, 2_000)
    lastTickMs = now
    if (since.page !== store.current.page) since = { page: store.current.page, at: now }
    else if (now - since.at >= MIN_VIEW_MS) for (const page of shown()) if (!reported.has(page)) seen.add(page)
  }

  function send(): void {
    const seconds = Math.round(activeMs / 1_000)
    if (seen.size === 0 && seconds === 0) return
    const body = JSON.stringify({ pages: [...seen].slice(0, 500), seconds })
    for (const page of seen) reported.add(page)
    seen.clear()
    activeMs = 0
    // Plain text needs no CORS preflight, for which there is no time when a page is left.
    const isSent = navigator.sendBeacon?.(address!, body)
    if (!isSent) void fetch(address!, { method: 'POST', body, keepalive: true })
  }
}
