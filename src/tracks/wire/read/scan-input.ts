/** The bytes to scan, and the same memory as words. The last byte is a closing brace, at which scanning ends. */
export type ScanInput = { readonly bytes: Buffer; readonly view: DataView }

/** Prepares bytes that end in a closing brace. */
export function scanInput(bytes: Buffer): ScanInput {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
}
