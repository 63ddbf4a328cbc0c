import { tellImageWidth } from './image-width.ts'
import { type LoadedPages, pageOf } from './loaded-pages.ts'
import type { NearPages } from './near-pages.ts'

/** Pages whose images may be in memory: 20 of 1200 pixels take some 150 MB when decoded, which phones still have. */
const MAX_IMAGES = 20

export type BoundedImages = {
  /** Has the image of a page loaded that will be turned to, and shown in a width. */
  prepare(section: HTMLElement, widthPx: number): void
  /** Waits until the images of pages that are shown are there, or are known not to come. */
  arrived(sections: readonly HTMLElement[]): Promise<void>
}

/**
 * Keeps the number of images in memory within bounds, however long somebody reads: those that are furthest away are
 * taken back, and come again, from the browser's cache, when their page does.
 */
export function boundImages(main: HTMLElement, pages: LoadedPages, nearPages: NearPages): BoundedImages {
  const shown = new Set<HTMLElement>()
  pages.follow(() => shown.clear())
  nearPages.follow(
    (section) => {
      show(section)
      takeFurthest(pageOf(section))
    },
    () => {},
  )

  // Browsers load what is a little further away, too.
  main.addEventListener(
    'load',
    ({ target }) => {
      const section = (target as Element).closest<HTMLElement>('section.page')
      if (section === null || !(target as Element).matches('picture img')) return
      shown.add(section)
      const [near = section] = nearPages.near()
      takeFurthest(pageOf(near))
    },
    true,
  )

  // Whoever prints as browsers do gets all pages that are here; the reader's own printing brings what it needs.
  addEventListener('beforeprint', () => {
    if (document.querySelector('.print-sheets') === null) for (const section of pages.sections()) show(section)
  })

  function show(section: HTMLElement): void {
    giveBack(section)
    shown.add(section)
  }

  function takeFurthest(from: number): void {
    if (shown.size <= MAX_IMAGES) return
    const near = new Set(nearPages.near())
    const away = [...shown]
      .filter((section) => !near.has(section))
      .sort((a, b) => Math.abs(pageOf(b) - from) - Math.abs(pageOf(a) - from))
    for (const section of away.slice(0, shown.size - MAX_IMAGES)) {
      takeImage(section)
      shown.delete(section)
    }
  }

  return {
    prepare(section, widthPx) {
      tellImageWidth(section, widthPx)
      show(section)
      section.querySelector<HTMLImageElement>('picture img')?.setAttribute('loading', 'eager')
    },
    async arrived(sections) {
      await Promise.all(sections.map(untilThere))
    },
  }
}

async function untilThere(section: HTMLElement): Promise<void> {
  const { image } = partsOf(section)
  if (image === null || (image.complete && image.currentSrc !== '')) return
  await new Promise((resolve) => {
    for (const end of ['load', 'error']) image.addEventListener(end, resolve, { once: true })
  })
}

function takeImage(section: HTMLElement): void {
  const { image, source } = partsOf(section)
  if (!image?.hasAttribute('src')) return
  image.dataset.src = image.getAttribute('src')!
  // The size stays: it is that of the sheet. Without an address the image is only its words.
  image.removeAttribute('src')
  if (source === null) return
  source.dataset.srcset = source.srcset
  source.removeAttribute('srcset')
}

function giveBack(section: HTMLElement): void {
  const { image, source } = partsOf(section)
  if (source?.dataset.srcset) source.srcset = source.dataset.srcset
  if (image?.dataset.src) image.src = image.dataset.src
  delete source?.dataset.srcset
  delete image?.dataset.src
}

function partsOf(section: HTMLElement) {
  return {
    image: section.querySelector<HTMLImageElement>('picture img'),
    source: section.querySelector<HTMLSourceElement>('picture source'),
  }
}
