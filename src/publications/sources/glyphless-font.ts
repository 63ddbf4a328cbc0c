const UNITS_PER_EM = 1000
const LETTER_UNITS = 500
/** `.notdef`, and the one of all letters. */
const GLYPHS = 2
/** Sum of all words of a font, which a field of `head` completes (OpenType). */
const CHECK_SUM = 0xb1b0afba
const CHECK_SUM_AT = 8
const HEAD_BYTES = 12
const ENTRY_BYTES = 16

/**
 * Returns a TrueType font of two empty glyphs, 1 em high and half as wide, for text that is not to be seen. Viewers
 * want a font for such text as well, and would otherwise look for one of their own. It has the tables that
 * ISO 32000-1, 9.9 asks of a font within a PDF.
 */
export function glyphlessFont(): Buffer {
  const tables: [tag: string, bytes: Buffer][] = [
    ['glyf', Buffer.alloc(4)],
    ['head', head()],
    ['hhea', hhea()],
    ['hmtx', words(LETTER_UNITS, 0, LETTER_UNITS, 0)],
    // Both glyphs end where they begin.
    ['loca', words(...Array.from({ length: GLYPHS + 1 }, () => 0))],
    ['maxp', words(1, 0, GLYPHS, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ]
  const directory: Buffer[] = [words(1, 0, tables.length, 64, 2, 16 * tables.length - 64)]
  let at = HEAD_BYTES + ENTRY_BYTES * tables.length
  const bodies: Buffer[] = []
  let headAt = 0
  for (const [tag, bytes] of tables) {
    if (tag === 'head') headAt = at
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(sumOf(padded(bytes)), 4)
    entry.writeUInt32BE(at, 8)
    entry.writeUInt32BE(bytes.length, 12)
    directory.push(entry)
    bodies.push(padded(bytes))
    at += padded(bytes).length
  }
  const font = Buffer.concat([...directory, ...bodies])
  font.writeUInt32BE((CHECK_SUM - sumOf(font)) >>> 0, headAt + CHECK_SUM_AT)
  return font
}

function head(): Buffer {
  const bytes = Buffer.alloc(54)
  bytes.writeUInt32BE(0x00010000, 0)
  bytes.writeUInt32BE(0x00010000, 4)
  bytes.writeUInt32BE(0x5f0f3cf5, 12)
  bytes.writeUInt16BE(UNITS_PER_EM, 18)
  bytes.writeInt16BE(LETTER_UNITS, 40)
  bytes.writeInt16BE(UNITS_PER_EM, 42)
  bytes.writeUInt16BE(8, 46)
  bytes.writeInt16BE(2, 48)
  return bytes
}

function hhea(): Buffer {
  const bytes = Buffer.alloc(36)
  bytes.writeUInt32BE(0x00010000, 0)
  bytes.writeInt16BE(UNITS_PER_EM, 4)
  bytes.writeUInt16BE(LETTER_UNITS, 10)
  bytes.writeInt16BE(LETTER_UNITS, 16)
  bytes.writeInt16BE(1, 18)
  bytes.writeUInt16BE(GLYPHS, 34)
  return bytes
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at)
  return bytes
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
}

function sumOf(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
