import { create } from 'qrcode'

/** Free space around a code, which scanners need. */
const QUIET_MODULES = 4

/** A QR code as one path of unit squares, and the side of the whole square including the quiet zone. */
type QrPath = { side: number; path: string }

/** Draws a text as a QR code (ISO/IEC 18004). */
export function qrPath(text: string): QrPath {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  let path = ''
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) path += `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`
    }
  }
  return { side: modules.size + 2 * QUIET_MODULES, path }
}
