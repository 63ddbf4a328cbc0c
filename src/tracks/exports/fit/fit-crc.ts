/**
 * The polynomial x^16 + x^15 + x^2 + 1 with its bits reversed, of the CRC that ends a FIT file (FIT protocol, "CRC").
 * It begins with 0 and is known elsewhere as CRC-16/ARC.
 */
const POLYNOMIAL = 0xa001

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1
  return crc
})

/** Returns the CRC of some bytes that follow those with the CRC `before`. */
export function fitCrc(bytes: Uint8Array, before = 0): number {
  let crc = before
  for (const byte of bytes) crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xff]
  return crc
}
