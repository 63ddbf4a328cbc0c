import type { CataloguedPage } from '../pages/page-list.ts'
import { element } from '../ui/elements.ts'

/** Pages that are printed as images at a time: what a browser takes well. */
export const MAX_PRINTED = 100

/**
 * Prints pages of the document, wherever they are: each on a sheet of paper, once all of them are loaded.
 * @param isWanted false when somebody has thought better of it meanwhile
 */
export async function printSheets(
  catalogue: readonly CataloguedPage[],
  { from, to }: { from: number; to: number },
  isWanted: () => boolean,
): Promise<void> {
  const pages = catalogue.filter(({ page }) => page >= from && page <= to)
  const images = pages.map(({ page, image }) => element('img', { src: image, alt: '', 'data-page': page }))
  await Promise.allSettled(images.map((image) => image.decode()))
  if (!isWanted()) return
  const sheets = element('div', { class: 'print-sheets' }, ...images.map((image) => element('div', {}, image)))
  document.body.append(sheets)
  addEventListener('afterprint', () => sheets.remove(), { once: true })
  print()
}
