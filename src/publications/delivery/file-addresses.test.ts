import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAddressSigner } from '#platform/security/signed-address.ts'
import { createFileAddresses } from './file-addresses.ts'

const SECRET = Buffer.from('a secret of at least thirty-two characters')
const ISSUED_MS = Date.UTC(2026, 4, 3, 8)
const HOUR_MS = 3_600_000
const CDN = 'https://images.example/press'
const file = { versionId: '7f0a3c52-1111-4d0b-8f5e-6a2b9c4d8e02', epoch: 4 }

/** The service at an instant, as its clock shows it. */
function at(nowMs: number) {
  const signer = createAddressSigner('file', [SECRET])
  return createFileAddresses({ signer, cdn: () => CDN, now: () => nowMs })
}

describe('the address of a file', () => {
  test('is absolute, and names nothing but the version and what is granted', () => {
    const address = at(ISSUED_MS).issue(file, 'inline')

    const expires = ISSUED_MS + HOUR_MS
    const target = `${CDN}/files/${file.versionId}?epoch=4&as=inline&expires=${expires}&`
    assert.ok(address.startsWith(target), address)
    assert.match(address.slice(target.length), /^key=[\w-]{8}&signature=[\w-]{43}$/)
  })

  test('grants one file, of one epoch, for one use', () => {
    for (const use of ['inline', 'attachment'] as const) {
      const target = targetOf(at(ISSUED_MS).issue(file, use))

      assert.deepEqual(at(ISSUED_MS).open('GET', target), { epoch: 4, use })
      assert.deepEqual(at(ISSUED_MS).open('HEAD', target), { epoch: 4, use })
      assert.throws(() => at(ISSUED_MS).open('PUT', target), { status: 403, code: 'FORBIDDEN' })
    }
  })

  test('is valid for exactly one hour from its issue', () => {
    const target = targetOf(at(ISSUED_MS).issue(file, 'inline'))

    assert.deepEqual(at(ISSUED_MS + HOUR_MS - 1).open('GET', target), { epoch: 4, use: 'inline' })
    for (const lateMs of [HOUR_MS, 2 * HOUR_MS, 10_000 * HOUR_MS])
      assert.throws(() => at(ISSUED_MS + lateMs).open('GET', target), { status: 410, code: 'GONE' })
  })

  test('does not live longer for being altered', () => {
    const target = targetOf(at(ISSUED_MS).issue(file, 'inline'))
    const later = target.replace(/expires=\d+/, `expires=${ISSUED_MS + 2 * HOUR_MS}`)

    assert.notEqual(later, target)
    assert.throws(() => at(ISSUED_MS).open('GET', later), { status: 403, code: 'FORBIDDEN' })
  })
})

/** As the server is sent it: a proxy has taken away what is its own. */
function targetOf(address: string): string {
  return address.slice(CDN.length)
}
