import { type LoadedPages, pageOf } from '../document/loaded-pages.ts'
import type { NearPages } from '../document/near-pages.ts'
import { setImageWidth } from './image-width.ts'
import { imageElements } from './page-image.ts'

/** Images kept in memory: 20 of 1200 pixels take about 150 MB when decoded, which phones can spare. */
const MAX_IMAGES = 20

export type LoadedImages = {
  /** Loads the image of a page that will be shown next, at the given width. */
  preload(section: HTMLElement, widthPx: number): void
  /** Waits until the images of pages have loaded or failed. */
  loaded(sections: readonly HTMLElement[]): Promise<void>
}

/**
 * Limits the number of images in memory, however long the session: the images furthest from the current page are
 * unloaded, and come back from the browser's cache when their page comes near.
 */
export function limitLoadedImages(main: HTMLElement, pages: LoadedPages, nearPages: NearPages): LoadedImages {
  const shown = new Set<HTMLElement>()
  pages.subscribe(() => shown.clear())
  nearPages.subscribe(
    (section) => {
      show(section)
      unloadFurthest(pageOf(section))
    },
    () => {},
  )

  // Browsers also load images a little further away.
  main.addEventListener(
    'load',
    ({ target }) => {
      const section = (target as Element).closest<HTMLElement>('section.page')
      if (section === null || !(target as Element).matches('picture img')) return
      shown.add(section)
      const [near = section] = nearPages.near()
      unloadFurthest(pageOf(near))
    },
    true,
  )

  // The browser's own print command prints all loaded pages; the reader's print dialog loads what it needs.
  addEventListener('beforeprint', () => {
    if (document.querySelector('.print-sheets') === null) for (const section of pages.sections()) show(section)
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
    preload(section, widthPx) {
      setImageWidth(section, widthPx)
      show(section)
      section.querySelector<HTMLImageElement>('picture img')?.setAttribute('loading', 'eager')
    },
    async loaded(sections) {
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
  if (source?.dataset.srcset) source.srcset = source.dataset.srcset
  if (image?.dataset.src) image.src = image.dataset.src
  delete source?.dataset.srcset
  delete image?.dataset.src
}
