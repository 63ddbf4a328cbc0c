type Crypto = { getRandomValues(bytes: Uint8Array): unknown }

/**
 * Returns a UUID, version 4. Where the engine has no source of randomness, as Hermes has none, the first half is the
 * time: its `Math.random` has so few starting points that two of many phones would meet.
 */
export function newId(): string {
  const bytes = new Uint8Array(16)
  const crypto = (globalThis as { crypto?: Crypto }).crypto
  if (crypto?.getRandomValues) {
    crypto.getRandomValues(bytes)
  } else {
    const timeUs = Math.floor(Date.now() * 1000)
    for (let at = 0; at < 16; at++) {
      bytes[at] = at < 7 ? Math.floor(timeUs / 256 ** at) : Math.floor(Math.random() * 256)
    }
  }
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => (byte + 256).toString(16).slice(1)).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
