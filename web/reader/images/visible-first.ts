import type { NearPages } from '../document/near-pages.ts'
import { hasFailed, hasLoaded, sectionOfImage } from './page-image.ts'

/** A page that takes longer holds up no other. */
const PATIENCE_MS = 8_000

type Deps = { main: HTMLElement; nearPages: NearPages }

/**
 * Loads the images of the pages on the screen before all others, which would compete with them on a slow line. While
 * one is loading, the stylesheet leaves out the images of pages that are not wanted.
 */
export function loadVisibleFirst({ main, nearPages }: Deps): void {
  const root = document.documentElement
  let isScheduled = false
  let loadingSinceMs: number | undefined

  function update(): void {
    isScheduled = false
    // The browser says a little later which pages are near; until then, the script in the head holds the others back.
    if (nearPages.near().length === 0) return
    const visible = nearPages.near().filter(isOnScreen)
    for (const section of visible) section.classList.add('wanted')
    const isLoading = visible.some((section) => !hasLoaded(section) && !hasFailed(section))
    if (!isLoading) loadingSinceMs = undefined
    else if (loadingSinceMs === undefined) {
      loadingSinceMs = performance.now()
      setTimeout(schedule, PATIENCE_MS)
    }
    const isPatient = loadingSinceMs !== undefined && performance.now() - loadingSinceMs < PATIENCE_MS
    root.classList.toggle('visible-first', isPatient)
    root.classList.remove('first-image')
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(update)
  }

  function handleEnd({ target }: Event): void {
    const section = sectionOfImage(target)
    if (section === undefined) return
    // An image that is there stays, whatever is loaded next.
    section.classList.add('wanted')
    schedule()
  }

  for (const type of ['load', 'error']) main.addEventListener(type, handleEnd, true)
  nearPages.subscribe(schedule, schedule)
  addEventListener('scroll', schedule, { passive: true, capture: true })
}

/** In the text view, no image is on the screen. */
function isOnScreen(section: HTMLElement): boolean {
  const { top, bottom, width } = section.querySelector('.sheet')!.getBoundingClientRect()
  return width > 0 && bottom > 0 && top < innerHeight
}
