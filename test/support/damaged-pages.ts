import { pageReference } from './make-pdf.ts'
import { numberedPages } from './make-pdf-examples.ts'

/** A document with numbered pages, some of which are not in the file though it lists them. */
export function damagedPages(damaged: readonly number[], count: number): Buffer {
  let text = numberedPages(count).toString('latin1')
  // As long as before, so that everything else stays in its place.
  for (const page of damaged) text = text.replace(pageReference(page), `7${pageReference(page).slice(1)}`)
  return Buffer.from(text, 'latin1')
}
