import type { OutlineEntry } from '../../domain/document-facts.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'
import { readUtf16 } from '../pdfium/pdfium.ts'
import type { Pointer } from '../pdfium/pdfium-exports.ts'
import { readTarget } from './link-target.ts'

/** Limits, because the outline of a file may be cyclic or huge. */
const MAX_ENTRIES = 5_000
const MAX_DEPTH = 32
const MAX_TITLE_LENGTH = 500

/** Reads the table of contents in order. Entries without a title are left out, but not their children. */
export function readOutline(document: PdfDocument): OutlineEntry[] {
  const { pdfium, handle } = document
  const entries: OutlineEntry[] = []
  const seen = new Set<Pointer>()

  function readChildren(parent: Pointer, depth: number) {
    let entry = pdfium.FPDFBookmark_GetFirstChild(handle, parent)
    while (entry !== 0 && depth < MAX_DEPTH && seen.size < MAX_ENTRIES && !seen.has(entry)) {
      seen.add(entry)
      const title = readTitle(entry)
      if (title !== '') entries.push({ title, depth, ...readTargetOf(entry) })
      readChildren(entry, depth + 1)
      entry = pdfium.FPDFBookmark_GetNextSibling(handle, entry)
    }
  }

  function readTitle(entry: Pointer): string {
    const title = readUtf16(pdfium, (buffer, size) => pdfium.FPDFBookmark_GetTitle(entry, buffer, size))
    return title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed()
  }

  function readTargetOf(entry: Pointer) {
    return readTarget(document, pdfium.FPDFBookmark_GetDest(handle, entry), pdfium.FPDFBookmark_GetAction(entry))
  }

  readChildren(0, 0)
  return entries
}
