/** Readers look for the header of a PDF in this many bytes (ISO 32000-1, Annex H, note 13). */
export const PDF_HEADER_WITHIN_BYTES = 1024

const HEADER = Buffer.from('%PDF-', 'latin1')

/** Returns true if the whole header of a PDF is within the first 1,024 bytes of a file. */
export function hasPdfHeader(beginning: Buffer): boolean {
  return beginning.subarray(0, PDF_HEADER_WITHIN_BYTES).includes(HEADER)
}
