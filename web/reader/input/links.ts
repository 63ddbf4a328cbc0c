import type { Place } from '../pages/place.ts'
import type { Viewer } from '../pages/viewer.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import { pageFromHash } from '../state/reading-position.ts'

/** At this width a panel covers the pages. */
const NARROW = '(max-width: 47.99rem)'

/** Handles links to pages of the document, also in another part of it, without leaving the HTML page. */
export function handleLinks(viewer: Viewer, store: ReaderStore): void {
  const narrow = matchMedia(NARROW)
  const closeCoveringPanel = () => {
    if (narrow.matches) store.set({ panel: undefined })
  }
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement | SVGAElement>('a[href]')
    if (link === null || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const address = new URL(link.getAttribute('href')!, location.href)
    const page = pageFromHash(address.hash)
    if (page === undefined || address.origin !== location.origin || address.pathname !== location.pathname) return
    event.preventDefault()
    closeCoveringPanel()
    pushHistoryEntry(store.current.page, viewer.place(), address.hash)
    void viewer.goTo(page)
  })
  document.addEventListener('resultopened', closeCoveringPanel)
  addEventListener('popstate', (event) => {
    const page = pageFromHash(location.hash)
    const place = (event.state as { place?: Place } | null)?.place
    if (place !== undefined && place.page === page)
      void viewer.restore({ place, page: place.page, zoom: store.current.zoom }, { isQuiet: false })
    else if (page !== undefined && page !== store.current.page) void viewer.goTo(page)
  })
}

/** Adds a history entry, so that going back returns to the place with the link. */
function pushHistoryEntry(from: number, place: Place | undefined, hash: string): void {
  const address = new URL(location.href)
  address.hash = `page-${from}`
  history.replaceState({ place: place?.page === from ? place : undefined }, '', address)
  address.hash = hash
  if (address.href !== location.href) history.pushState(null, '', address)
}
