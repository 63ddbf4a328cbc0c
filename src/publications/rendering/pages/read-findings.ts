import type { Finding } from '../../domain/document-facts.ts'
import type { FileSource } from '../pdfium/file-source.ts'
import type { PdfDocument } from '../pdfium/pdf-document.ts'

/**
 * PDF names that indicate a finding anywhere in the file. All are long: shorter ones occur in compressed data by
 * chance.
 */
const names: [Finding, string][] = [
  ['javascript', '/JavaScript'],
  ['launch_action', '/Launch'],
  ['open_action', '/OpenAction'],
  ['attachments', '/EmbeddedFile'],
  ['encrypted', '/Encrypt'],
  ['xfa_form', '/XFA'],
]

/** Pieces overlap, because a name may span two of them; the longest has 13 bytes. */
const PIECE_BYTES = 1024 * 1024
const OVERLAP_BYTES = 32

/**
 * Finds active content of a file: through PDFium, and in the bytes of the file for what PDFium does not report. Names
 * inside compressed objects are not found, so an empty list does not prove that a file is harmless.
 */
export function readFindings({ pdfium, handle }: PdfDocument, source: FileSource): Finding[] {
  const found = new Set<Finding>()
  if (pdfium.FPDFDoc_GetJavaScriptActionCount(handle) > 0) found.add('javascript')
  if (pdfium.FPDFDoc_GetAttachmentCount(handle) > 0) found.add('attachments')
  for (const piece of piecesOf(source)) {
    for (const [finding, name] of names) if (!found.has(finding) && holdsName(piece, name)) found.add(finding)
  }
  return [...found].sort()
}

function* piecesOf(source: FileSource): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  for (let position = 0; position < source.size; position += PIECE_BYTES - OVERLAP_BYTES) {
    const bytes = piece.subarray(0, Math.min(PIECE_BYTES, source.size - position))
    if (!source.read(position, bytes)) return
    yield bytes
  }
}

/** Returns true for the whole name, not for the start of a longer one; `/EmbeddedFiles` counts as `/EmbeddedFile`. */
function holdsName(piece: Buffer, name: string): boolean {
  for (let at = piece.indexOf(name, 0, 'latin1'); at >= 0; at = piece.indexOf(name, at + 1, 'latin1')) {
    const next = piece[at + name.length]
    const goesOn = next !== undefined && /[A-Za-z0-9]/.test(String.fromCharCode(next))
    if (!goesOn || String.fromCharCode(next) === 's') return true
  }
  return false
}
