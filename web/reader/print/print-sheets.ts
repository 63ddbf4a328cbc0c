import type { PageSummary } from '../document/page-list.ts'
import { element } from '../ui/elements.ts'

/** Pages printed as images at a time, which browsers handle well. */
export const MAX_PRINTED_PAGES = 100

/**
 * Prints pages of the document, each on its own sheet, once all their images are loaded.
 * @param isWanted returns false if printing has been cancelled meanwhile
 * @returns the number of pages that could not be loaded, for which nothing is printed
 */
export async function printSheets(
  pageList: readonly PageSummary[],
  { from, to }: { from: number; to: number },
  isWanted: () => boolean,
): Promise<number> {
  const pages = pageList.filter(({ page }) => page >= from && page <= to)
  const images = pages.map(({ page, image }) => element('img', { src: image, alt: '', 'data-page': page }))
  const loading = await Promise.allSettled(images.map((image) => image.decode()))
  const missing = loading.filter(({ status }) => status === 'rejected').length
  if (!isWanted() || missing > 0) return missing
  const sheets = element('div', { class: 'print-sheets' }, ...images.map((image) => element('div', {}, image)))
  document.body.append(sheets)
  addEventListener('afterprint', () => sheets.remove(), { once: true })
  print()
  return 0
}
