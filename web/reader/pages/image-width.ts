/**
 * Tells the browser how wide a page is shown, by which it chooses among the images that it is offered. A larger one may
 * come, a smaller one in place of a larger only costs.
 */
export function tellImageWidth(section: HTMLElement, widthPx: number): void {
  const source = section.querySelector('source')
  const width = Math.round(widthPx)
  if (source === null || width <= Number(source.dataset.width ?? 0)) return
  source.dataset.width = String(width)
  source.sizes = `${width}px`
}
