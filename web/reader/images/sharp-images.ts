import type { NearPages } from '../document/near-pages.ts'
import { element } from '../ui/elements.ts'
import { setImageWidth } from './image-width.ts'
import { hasFailed } from './page-image.ts'

/** An image enlarged by more than this looks soft. */
const MAX_UPSCALING = 1.15
/** The width of the images of most pages; the larger one is made when it is first requested. */
const DEFAULT_WIDTH = 1200
const SHARP_IMAGE = '2400.webp'
/** An image of 2400 pixels takes 30 MB when decoded. */
const MAX_SHARP = 3
/** Scrolling pauses this long once the reader has arrived. */
const SETTLED_MS = 150

/** Lays a larger image over pages enlarged beyond their own; returns a function that checks all pages again. */
export function sharpenPages(nearPages: NearPages): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function update(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const onScreen = nearPages.near().filter(isOnScreen)
      // A changed width makes the browser request a failed image again, whenever the server wants to be asked next.
      for (const section of nearPages.near()) if (!hasFailed(section)) setImageWidth(section, widthOf(section))
      for (const section of nearPages.near()) if (!onScreen.includes(section)) soften(section)
      for (const section of onScreen.slice(0, MAX_SHARP)) {
        if (pixelsOf(section) > Number(section.dataset.width) * MAX_UPSCALING) sharpen(section)
        else soften(section)
      }
    }, SETTLED_MS)
  }

  nearPages.subscribe(update, (section) => {
    soften(section)
    update()
  })
  for (const type of ['scroll', 'load']) addEventListener(type, update, { passive: true, capture: true })
  addEventListener('resize', update)
  return update
}

function sharpen(section: HTMLElement): void {
  const picture = section.querySelector('picture')
  const address = picture?.querySelector('source')?.srcset.split(' ')[0]
  if (!address || section.querySelector('.sharp') || Number(section.dataset.width) < DEFAULT_WIDTH) return
  const image = element('img', {
    class: 'sharp',
    alt: '',
    'aria-hidden': 'true',
    src: address.replace(/[^/]+$/, SHARP_IMAGE),
  })
  picture!.after(image)
  // Until it has loaded, and if it fails, the page stays as it is.
  image.decode().then(
    () => image.classList.add('ready'),
    () => image.remove(),
  )
}

function soften(section: HTMLElement): void {
  const image = section.querySelector<HTMLImageElement>('.sharp')
  image?.removeAttribute('src')
  image?.remove()
}

function widthOf(section: HTMLElement): number {
  return section.querySelector('.sheet')?.getBoundingClientRect().width ?? 0
}

function pixelsOf(section: HTMLElement): number {
  return widthOf(section) * devicePixelRatio
}

function isOnScreen(section: HTMLElement): boolean {
  const { top, bottom, width } = section.getBoundingClientRect()
  return width > 0 && bottom > 0 && top < innerHeight
}
