import type { PageSummary } from '../pages/page-list.ts'
import { element } from '../ui/elements.ts'

/** Pages printed as images at a time, which browsers handle well. */
export const MAX_PRINTED_PAGES = 100

/**
 * Prints pages of the document, each on its own sheet, once all their images are loaded.
 * @param isWanted returns false if printing has been cancelled meanwhile
 */
export async function printSheets(
  pageList: readonly PageSummary[],
  { from, to }: { from: number; to: number },
  isWanted: () => boolean,
): Promise<void> {
  const pages = pageList.filter(({ page }) => page >= from && page <= to)
  const images = pages.map(({ page, image }) => element('img', { src: image, alt: '', 'data-page': page }))
  await Promise.allSettled(images.map((image) => image.decode()))
  if (!isWanted()) return
  const sheets = element('div', { class: 'print-sheets' }, ...images.map((image) => element('div', {}, image)))
  document.body.append(sheets)
  addEventListener('afterprint', () => sheets.remove(), { once: true })
  print()
}
