import { currentAddresses, type NearPages } from '../document/loaded-pages.ts'

/** Returns the image of a page's section, and the source from which the browser chooses its size. */
export function imageElements(section: HTMLElement) {
  return {
    image: section.querySelector<HTMLImageElement>('picture img'),
    source: section.querySelector<HTMLSourceElement>('picture source'),
  }
}

/** Returns whether the image of a page is there. An image without an address was unloaded, and is none. */
export function hasLoaded(section: HTMLElement): boolean {
  const { image } = imageElements(section)
  return image?.complete === true && image.naturalWidth > 0
}

/** Returns whether the image of a page was requested in vain. */
export function hasFailed(section: HTMLElement): boolean {
  const { image } = imageElements(section)
  return image?.complete === true && image.naturalWidth === 0 && image.currentSrc !== '' && image.hasAttribute('src')
}

/** Returns the page whose image an event is about; undefined for every other image. */
export function sectionOfImage(target: EventTarget | null): HTMLElement | undefined {
  const isPageImage = target instanceof HTMLImageElement && target.matches('picture img')
  return isPageImage ? (target.closest<HTMLElement>('section.page') ?? undefined) : undefined
}

/** Gives a page the address of its image anew, without its last segment, because the one in the HTML ends. */
export function giveAddress(section: HTMLElement, address: string | undefined): void {
  if (address === undefined) return
  section.dataset.address = address
  // A page that is there is not fetched again.
  if (!hasLoaded(section)) reloadImage(section)
}

/** Requests the image of a page again. */
export function reloadImage(section: HTMLElement): void {
  const { image, source } = imageElements(section)
  if (!image?.hasAttribute('src')) return
  if (source !== null) source.srcset = currentAddresses(section, source.srcset)
  image.src = currentAddresses(section, image.getAttribute('src')!)
}

/** An image enlarged by more than this looks soft. */
const MAX_UPSCALING = 1.15
/** The width of the images of most pages; only these have a larger one, which is made when it is first requested. */
const DEFAULT_WIDTH = 1200

/** Returns whether a page is so wide on this screen that a larger image is laid over its own. */
export function isOverlaid(section: HTMLElement, widthPx: number): boolean {
  // A folder that is read without a server has no larger images.
  if (document.body.classList.contains('offline')) return false
  const width = Number(section.dataset.width)
  return width >= DEFAULT_WIDTH && widthPx * devicePixelRatio > width * MAX_UPSCALING
}

/**
 * Sets the width at which a page is shown, from which the browser chooses among its images. The width only ever grows:
 * replacing a larger image by a smaller one costs a download and gains nothing. A page that a larger image is laid over
 * keeps the one it has, or else gets the smallest.
 * @param isAlone true if no larger image comes
 */
export function setImageWidth(section: HTMLElement, widthPx: number, isAlone = false): void {
  const source = section.querySelector('source')
  const width = Math.round(widthPx)
  if (source === null || width <= Number(source.dataset.width ?? 0)) return
  if (!isAlone && isOverlaid(section, width)) {
    if (!hasLoaded(section)) source.sizes = SMALLEST
    return
  }
  source.dataset.width = String(width)
  if (section.dataset.address !== undefined) source.srcset = currentAddresses(section, source.srcset)
  const apply = () => {
    source.sizes = `${source.dataset.width}px`
  }
  // Only an image that has been on the screen stays there until the larger one is complete.
  if (isAlone || !hasLoaded(section)) apply()
  else requestAnimationFrame(() => requestAnimationFrame(apply))
}

/** The `sizes` of a page for which the smallest image suffices. */
const SMALLEST = '1px'

/** A page that takes longer holds up no other. */
const PATIENCE_MS = 8_000

/**
 * Loads the images of the pages on the screen before all others, which would compete with them on a slow line. While
 * one is loading, the stylesheet leaves out the images of pages that are not wanted.
 */
export function loadVisibleFirst(main: HTMLElement, nearPages: NearPages): void {
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
    // A loaded image stays until the next one is complete.
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
