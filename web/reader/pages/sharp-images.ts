import { element } from '../ui/elements.ts'
import { tellImageWidth } from './image-width.ts'
import type { NearPages } from './near-pages.ts'

/** Beyond this many times its pixels an image is seen to be soft. */
const SOFT_FROM = 1.15
/** What most pages have; the next larger image is made when it is first asked for. */
const USUAL_WIDTH = 1200
const SHARP_IMAGE = '2400.webp'
/** An image of 2400 pixels takes 30 MB when decoded. */
const MAX_SHARP = 3
/** Long enough for somebody to have arrived where they are going. */
const SETTLED_MS = 150

/** Lays a finer image over pages that are shown larger than their image; gives what looks at all pages anew. */
export function sharpenPages(nearPages: NearPages): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function update(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const onScreen = nearPages.near().filter(isOnScreen)
      for (const section of nearPages.near()) tellImageWidth(section, widthOf(section))
      for (const section of nearPages.near()) if (!onScreen.includes(section)) soften(section)
      for (const section of onScreen.slice(0, MAX_SHARP)) {
        if (pixelsOf(section) > Number(section.dataset.width) * SOFT_FROM) sharpen(section)
        else soften(section)
      }
    }, SETTLED_MS)
  }

  nearPages.follow(update, (section) => {
    soften(section)
    update()
  })
  addEventListener('scroll', update, { passive: true, capture: true })
  addEventListener('resize', update)
  return update
}

function sharpen(section: HTMLElement): void {
  const picture = section.querySelector('picture')
  const address = picture?.querySelector('source')?.srcset.split(' ')[0]
  if (!address || section.querySelector('.sharp') || Number(section.dataset.width) < USUAL_WIDTH) return
  const image = element('img', {
    class: 'sharp',
    alt: '',
    'aria-hidden': 'true',
    src: address.replace(/[^/]+$/, SHARP_IMAGE),
  })
  picture!.after(image)
  // Until it is there, and where it does not come, the page is seen as it was.
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
