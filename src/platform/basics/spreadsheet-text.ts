/**
 * Decodes a text file of a spreadsheet: UTF-16 with a byte order mark (“Unicode text” of Excel), otherwise UTF-8,
 * otherwise Windows-1252, in which Excel writes plain CSV in western Europe and which can read any bytes. Also runs in
 * the browser.
 */
export function decodeSpreadsheetText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function utf16Of([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}
