import type { ReaderStore, View } from '../state/reader-store.ts'
import type { Place } from './place.ts'

/** The exact place and the form in which a document was read, for when its page is loaded again in the same tab. */
export type KeptPlace = {
  place: Place
  /** The current page, which is the last one at the end of the document, wherever that page begins. */
  page: number
  view: View
  isText: boolean
  zoom: number
  hash: string
}

/** Reads the place of a page that is being reloaded, or returned to in the history; undefined for every other visit. */
export function readKeptPlace(slug: string): KeptPlace | undefined {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type !== 'reload' && navigation?.type !== 'back_forward') return undefined
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey(slug)) ?? '') as KeptPlace
    const { page, across, down } = kept.place
    const isView = kept.view === 'scroll' || kept.view === 'single' || kept.view === 'spread'
    const isValid =
      isView && Number.isSafeInteger(page) && page >= 1 && [across, down, kept.page, kept.zoom].every(Number.isFinite)
    // The history of a tab may have several entries of the same document.
    const isHere = navigation.type === 'reload' || kept.hash === location.hash
    return isValid && isHere ? kept : undefined
  } catch {
    // Nothing is kept, or storage is off.
    return undefined
  }
}

/** Keeps the place whenever the reader rests or leaves. */
export function keepPlace(slug: string, store: ReaderStore, placeNow: () => Place | undefined): void {
  const write = () => {
    const place = placeNow()
    const { page, view, isText, zoom } = store.current
    if (place === undefined) return
    try {
      const kept: KeptPlace = { place, page, view, isText, zoom, hash: location.hash }
      sessionStorage.setItem(storageKey(slug), JSON.stringify(kept))
    } catch {
      // Without storage, a reload opens the page in the address.
    }
  }
  addEventListener('scrollend', write)
  addEventListener('pagehide', write)
  // A phone may end a page in the background without a further event.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') write()
  })
}

/** The script in the head of the page uses this key as well. */
function storageKey(slug: string): string {
  return `reader-place/${slug}`
}
