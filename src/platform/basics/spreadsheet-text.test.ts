import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeSpreadsheetText } from './spreadsheet-text.ts'

const LIST = 'dossard;nom\r\n7;Chloé Lœuillet\r\n'

describe('the text of a spreadsheet', () => {
  const utf16 = Buffer.from(`\ufeff${LIST}`, 'utf16le')
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(LIST)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${LIST}`)],
    ['UTF-16, little endian', utf16],
    ['UTF-16, big endian', Buffer.from(utf16).swap16()],
    // é and œ as Excel writes them on a French Windows.
    ['Windows-1252', Buffer.from(LIST.replace('é', '\xe9').replace('œ', '\x9c'), 'latin1')],
  ] as const) {
    test(`is read from ${name}`, () => assert.equal(decodeSpreadsheetText(bytes), LIST))
  }
})
