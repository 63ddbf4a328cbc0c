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

/** Requests the image of a page again. */
export function reloadImage(section: HTMLElement): void {
  const { image, source } = imageElements(section)
  if (!image?.hasAttribute('src')) return
  if (source !== null) source.srcset = `${source.srcset}`
  image.src = `${image.getAttribute('src')}`
}
