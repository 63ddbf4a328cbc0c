/** Where a PDF says that it is one: readers look for its header in so many bytes (ISO 32000-1, Annex H, note 13). */
export const PDF_HEADER_WITHIN_BYTES = 1024

const HEADER = Buffer.from('%PDF-', 'latin1')

/** Whether the beginning of a file has the header of a PDF, all of it within its first 1,024 bytes. */
export function hasPdfHeader(beginning: Buffer): boolean {
  return beginning.subarray(0, PDF_HEADER_WITHIN_BYTES).includes(HEADER)
}
