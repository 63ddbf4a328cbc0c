import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReaderHash } from './reader-hash.ts'

const SECRET = [Buffer.alloc(32, 1)] as const
const TRAITS = { address: '192.0.2.7', userAgent: 'Firefox' }

/** As every instance sees them: the first salt of a day stays. */
function sharedSalts() {
  const salts = new Map<string, Uint8Array>()
  return {
    salts,
    async saltOf(day: string, fresh: Uint8Array) {
      if (!salts.has(day)) salts.set(day, fresh)
      return salts.get(day)!
    },
  }
}

test('a reader is the same for a day, on all instances', async () => {
  const salts = sharedSalts()
  const [one, other] = [createReaderHash(salts, SECRET), createReaderHash(salts, SECRET)]

  const hashes = [await one('2026-05-03', 'a', TRAITS), await other('2026-05-03', 'a', TRAITS)]

  assert.equal(hashes[0], hashes[1])
  assert.doesNotMatch(hashes[0], /192|Firefox/)
})

test('another day, publication, address, browser or installation makes another reader', async () => {
  const hash = createReaderHash(sharedSalts(), SECRET)
  const salts = sharedSalts()
  const [one, foreign] = [createReaderHash(salts, SECRET), createReaderHash(salts, [Buffer.alloc(32, 2)])]

  const hashes = [
    await hash('2026-05-03', 'a', TRAITS),
    await hash('2026-05-04', 'a', TRAITS),
    await hash('2026-05-03', 'b', TRAITS),
    await hash('2026-05-03', 'a', { ...TRAITS, address: '192.0.2.8' }),
    await hash('2026-05-03', 'a', { ...TRAITS, userAgent: 'Safari' }),
    await one('2026-05-03', 'a', TRAITS),
    await foreign('2026-05-03', 'a', TRAITS),
  ]

  assert.equal(new Set(hashes).size, hashes.length)
})

test('addresses of one IPv6 network are one', async () => {
  const hash = createReaderHash(sharedSalts(), SECRET)
  const from = (address: string) => hash('2026-05-03', 'a', { ...TRAITS, address })

  assert.equal(await from('2001:db8:1:2:aaaa::1'), await from('2001:db8:1:2:bbbb::2'))
  assert.notEqual(await from('2001:db8:1:2::1'), await from('2001:db8:1:3::1'))
})

test('a salt that could not be had is asked for again', async () => {
  let isGone = true
  const salts = sharedSalts()
  const hash = createReaderHash(
    { saltOf: (day, fresh) => (isGone ? Promise.reject(new Error('gone')) : salts.saltOf(day, fresh)) },
    SECRET,
  )

  await assert.rejects(hash('2026-05-03', 'a', TRAITS), /gone/)
  isGone = false

  assert.ok(await hash('2026-05-03', 'a', TRAITS))
})
