/** A password hash with everything needed to compute it again. */
export type Argon2Hash = { memoryKib: number; passes: number; lanes: number; salt: Buffer; hash: Buffer }

const PHC_STRING = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Formats a hash as a PHC string: `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`, in Base64 without padding. */
export function formatPhcString({ memoryKib, passes, lanes, salt, hash }: Argon2Hash): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${base64(salt)}$${base64(hash)}`
}

/** @throws Error for any other text, which only a damaged database contains. */
export function parsePhcString(text: string): Argon2Hash {
  const [, memoryKib, passes, lanes, salt, hash] = PHC_STRING.exec(text) ?? []
  if (hash === undefined) throw new Error('A stored password hash cannot be read')
  return {
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
