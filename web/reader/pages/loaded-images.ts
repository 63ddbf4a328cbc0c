import { currentAddresses, type LoadedPages, type NearPages, pageOf } from '../document/loaded-pages.ts'
import { element } from '../elements.ts'
import { hasFailed, imageElements, isOverlaid, sectionOfImage, setImageWidth } from './page-image.ts'

/** Images kept in memory: 20 of 1200 pixels take about 150 MB when decoded, which phones can spare. */
const MAX_IMAGES = 20

/** The width of pages on paper, at 96 pixels an inch. */
const PRINTED_PX = 794

export type LoadedImages = ReturnType<typeof limitLoadedImages>

/**
 * Limits the number of images in memory, however long the session: the images furthest from the current page are
 * unloaded, and come back from the browser's cache when their page comes near.
 */
export function limitLoadedImages(main: HTMLElement, pages: LoadedPages, nearPages: NearPages) {
  const shown = new Set<HTMLElement>()
  pages.subscribe(() => {
    for (const section of shown) if (!section.isConnected) shown.delete(section)
  })
  nearPages.subscribe((section) => {
    show(section)
    unloadFurthest(pageOf(section))
  })

  // Browsers also load images a little further away.
  main.addEventListener(
    'load',
    ({ target }) => {
      const section = sectionOfImage(target)
      if (section === undefined) return
      shown.add(section)
      const [near = section] = nearPages.near()
      unloadFurthest(pageOf(near))
    },
    true,
  )

  // The browser's own print command prints all loaded pages; the reader's print dialog loads its pages.
  addEventListener('beforeprint', () => {
    if (document.querySelector('.print-sheets') !== null) return
    for (const section of pages.sections()) {
      // Nothing larger is laid over the pages on paper.
      setImageWidth(section, PRINTED_PX, true)
      show(section)
    }
  })

  function show(section: HTMLElement): void {
    restoreImage(section)
    shown.add(section)
  }

  function unloadFurthest(from: number): void {
    if (shown.size <= MAX_IMAGES) return
    const near = new Set(nearPages.near())
    const away = [...shown]
      .filter((section) => !near.has(section))
      .sort((a, b) => Math.abs(pageOf(b) - from) - Math.abs(pageOf(a) - from))
    for (const section of away.slice(0, shown.size - MAX_IMAGES)) {
      unloadImage(section)
      shown.delete(section)
    }
  }

  return {
    /** Loads the image of a page that will be shown next, at the given width. */
    preload(section: HTMLElement, widthPx: number): void {
      setImageWidth(section, widthPx)
      show(section)
      section.querySelector<HTMLImageElement>('picture img')?.setAttribute('loading', 'eager')
    },
    /** Waits until the images of pages have loaded or failed. */
    async loaded(sections: readonly HTMLElement[]): Promise<void> {
      await Promise.all(sections.map(untilLoaded))
    },
  }
}

async function untilLoaded(section: HTMLElement): Promise<void> {
  const { image } = imageElements(section)
  if (image === null || (image.complete && image.currentSrc !== '')) return
  await new Promise((resolve) => {
    for (const end of ['load', 'error']) image.addEventListener(end, resolve, { once: true })
  })
}

function unloadImage(section: HTMLElement): void {
  const { image, source } = imageElements(section)
  if (!image?.hasAttribute('src')) return
  image.dataset.src = image.getAttribute('src')!
  // The sheet keeps its size. Without an address the image shows nothing but its alternative text.
  image.removeAttribute('src')
  if (source === null) return
  source.dataset.srcset = source.srcset
  source.removeAttribute('srcset')
}

function restoreImage(section: HTMLElement): void {
  const { image, source } = imageElements(section)
  if (source?.dataset.srcset) source.srcset = currentAddresses(section, source.dataset.srcset)
  if (image?.dataset.src) image.src = currentAddresses(section, image.dataset.src)
  delete source?.dataset.srcset
  delete image?.dataset.src
}

const SHARP_IMAGE = '2400.webp'
/** An image of 2400 pixels takes 30 MB when decoded. */
const MAX_SHARP = 3
/** Scrolling pauses this long once the reader has arrived. */
const SETTLED_MS = 150
/** A page that stays on the screen this long is being read, however much it moves. */
const READ_MS = 600

/** Lays a larger image over pages enlarged beyond their own; returns a function that checks all pages again. */
export function sharpenPages(nearPages: NearPages): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let movedMs = 0
  /** The times at which the pages on the screen came there. */
  let arrivedMs = new Map<HTMLElement, number>()

  function look(): void {
    timer = undefined
    const now = performance.now()
    const isSettled = now - movedMs >= SETTLED_MS
    const onScreen = nearPages.near().filter(isOnScreen)
    arrivedMs = new Map(onScreen.map((section) => [section, arrivedMs.get(section) ?? now]))
    // A changed width makes the browser request a failed image again, whenever the server wants to be asked next.
    for (const section of nearPages.near()) if (!hasFailed(section)) setImageWidth(section, widthOf(section))
    for (const section of nearPages.near()) if (!onScreen.includes(section)) soften(section)
    for (const section of onScreen.slice(0, MAX_SHARP)) {
      if (!isOverlaid(section, widthOf(section))) soften(section)
      else if (isSettled || now - arrivedMs.get(section)! >= READ_MS) sharpen(section)
    }
    if (!isSettled) update()
  }

  function update(): void {
    if (timer === undefined) timer = setTimeout(look, SETTLED_MS)
  }

  nearPages.subscribe(update, (section) => {
    soften(section)
    update()
  })
  addEventListener(
    'scroll',
    () => {
      movedMs = performance.now()
      update()
    },
    { passive: true, capture: true },
  )
  addEventListener('load', update, { passive: true, capture: true })
  addEventListener('resize', update)
  return update
}

function sharpen(section: HTMLElement): void {
  const picture = section.querySelector('picture')
  const address = currentAddresses(section, picture?.querySelector('source')?.srcset ?? '').split(' ')[0]
  if (!address || section.querySelector('.sharp')) return
  const image = element('img', {
    class: 'sharp',
    alt: '',
    'aria-hidden': 'true',
    src: address.replace(/[^/]+$/, SHARP_IMAGE),
  })
  picture!.after(image)
  // Until it has loaded, the page stays as it is.
  image.decode().then(
    () => image.classList.add('ready'),
    () => {
      // An image that was taken away again does not load either.
      if (image.isConnected && !hasFailed(section)) setImageWidth(section, widthOf(section), true)
      image.remove()
    },
  )
}

function soften(section: HTMLElement): void {
  const image = section.querySelector<HTMLImageElement>('.sharp')
  image?.removeAttribute('src')
  image?.remove()
}

function widthOf(section: HTMLElement): number {
  // A page that is turned is as wide as before in its own direction.
  return section.querySelector('.sheet')?.clientWidth ?? 0
}

/** The part of the screen at its edges that nobody reads: the toolbar lies over its top. */
const EDGE_SHARE = 0.08

function isOnScreen(section: HTMLElement): boolean {
  const { top, bottom, width } = section.getBoundingClientRect()
  return width > 0 && bottom > EDGE_SHARE * innerHeight && top < (1 - EDGE_SHARE) * innerHeight
}
