import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'

/** The device is present (1), has verified its user (4), and sends a new key with its answer (64). */
const USED = 0b101
const WITH_KEY = 0b1000000

/**
 * Returns a device that makes one passkey for an address, and answers requests with it (Web Authentication, level 3).
 */
export function createPasskeyDevice(baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const site = hash('sha256', hostname, 'buffer')
  const client = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }))
  const credential = (response: Record<string, string>) => {
    const text = id.toString('base64url')
    return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {}, response }
  }

  return {
    /** Answers the request for a new passkey. */
    create(challenge: string) {
      const { x, y } = publicKey.export({ format: 'jwk' })
      // COSE: an elliptic key (1: 2) for ES256 (3: -7) on P-256 (-1: 1) with its coordinates (-2, -3), as CBOR.
      const key = [
        Buffer.from('a5010203262001215820', 'hex'),
        coordinate(x!),
        Buffer.from('225820', 'hex'),
        coordinate(y!),
      ]
      const made = [Buffer.alloc(16), Buffer.from([0, id.length]), id, ...key]
      const data = Buffer.concat([site, Buffer.from([USED | WITH_KEY]), Buffer.alloc(4), ...made])
      // CBOR: { fmt: 'none', attStmt: {}, authData: … }
      const head = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58', 'latin1')
      return credential({
        clientDataJSON: client('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.concat([head, Buffer.from([data.length]), data]).toString('base64url'),
      })
    },

    /** Answers the request of a sign-in. */
    answer(challenge: string, user: Buffer) {
      const clientData = client('webauthn.get', challenge)
      const data = Buffer.concat([site, Buffer.from([USED]), Buffer.alloc(4)])
      const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')])
      return credential({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: user.toString('base64url'),
      })
    },
  }
}

function coordinate(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}
