import { pageReference } from './make-pdf.ts'
import { numberedPages } from './make-pdf-examples.ts'

/** Returns a document with numbered pages, some of which are listed but missing in the file. */
export function damagedPages(damaged: readonly number[], count: number): Buffer {
  let text = numberedPages(count).toString('latin1')
  // The same length, so that all other offsets stay valid.
  for (const page of damaged) text = text.replace(pageReference(page), `7${pageReference(page).slice(1)}`)
  return Buffer.from(text, 'latin1')
}
