/**
 * Sets the width at which a page is shown, from which the browser chooses among its images. The width only ever grows:
 * replacing a larger image by a smaller one costs a download and gains nothing.
 */
export function setImageWidth(section: HTMLElement, widthPx: number): void {
  const source = section.querySelector('source')
  const width = Math.round(widthPx)
  if (source === null || width <= Number(source.dataset.width ?? 0)) return
  source.dataset.width = String(width)
  source.sizes = `${width}px`
}
