import type { Viewer } from '../pages/viewer.ts'
import type { ReadingState } from '../state/reader-state.ts'
import { pageInAddress } from '../state/reading-position.ts'

/** Below this width a panel covers the pages. */
const NARROW = '(max-width: 47.99rem)'

/** Follows links to pages of the document, in whichever of its parts, without leaving. */
export function followLinks(viewer: Viewer, state: ReadingState): void {
  const narrow = matchMedia(NARROW)
  const uncover = () => {
    if (narrow.matches) state.set({ panel: undefined })
  }
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement | SVGAElement>('a[href]')
    if (link === null || event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const address = new URL(link.getAttribute('href')!, location.href)
    const page = pageInAddress(address.hash)
    if (page === undefined || address.origin !== location.origin || address.pathname !== location.pathname) return
    event.preventDefault()
    uncover()
    leaveStep(state.now.page, address.hash)
    void viewer.goTo(page)
  })
  document.addEventListener('chosen', uncover)
  addEventListener('popstate', () => {
    const page = pageInAddress(location.hash)
    if (page !== undefined && page !== state.now.page) void viewer.goTo(page)
  })
}

/** Going back leads to where the link was. */
function leaveStep(from: number, hash: string): void {
  const address = new URL(location.href)
  address.hash = `page-${from}`
  history.replaceState(history.state, '', address)
  address.hash = hash
  if (address.href !== location.href) history.pushState(null, '', address)
}
