import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  matchTotp,
  newRecoveryCodes,
  recoveryCodeHash,
  totpAddress,
  totpCode,
  totpSecretText,
  totpStep,
} from './one-time-codes.ts'

/** The secret of the test vectors of RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890')

describe('a code of an authenticator app', () => {
  // RFC 6238, appendix B, the rows of SHA-1.
  const vectors: [timeSec: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [timeSec, code] of vectors) {
    test(`at ${timeSec} s is that of RFC 6238`, () => {
      assert.equal(totpCode(SECRET, totpStep(timeSec * 1000), 8), code)
      assert.equal(totpCode(SECRET, totpStep(timeSec * 1000)), code.slice(-6))
    })
  }

  const nowMs = 1111111111000
  const now = totpStep(nowMs)

  test('is right in its step, in the one before and in the one after', () => {
    const matched = [-2, -1, 0, 1, 2].map((offset) => matchTotp(SECRET, totpCode(SECRET, now + offset), nowMs, 0))

    assert.deepEqual(matched, [undefined, now - 1, now, now + 1, undefined])
  })

  test('is wrong once its step or a later one has been used', () => {
    const matched = [now - 1, now, now + 1].map((used) => matchTotp(SECRET, totpCode(SECRET, now), nowMs, used))

    assert.deepEqual(matched, [now, undefined, undefined])
  })

  test('is wrong with another length, or other characters of the same value', () => {
    const code = totpCode(SECRET, now)

    for (const text of ['', code.slice(1), `${code}0`, ` ${code}`, code.replace(/\d/, '٣')])
      assert.equal(matchTotp(SECRET, text, nowMs, 0), undefined, text)
  })
})

describe('a secret', () => {
  // RFC 4648, section 10.
  const vectors = { f: 'MY', fo: 'MZXQ', foo: 'MZXW6', foob: 'MZXW6YQ', fooba: 'MZXW6YTB', foobar: 'MZXW6YTBOI' }
  for (const [bytes, text] of Object.entries(vectors)) {
    test(`of the bytes ${bytes} is written as in RFC 4648`, () => {
      assert.equal(totpSecretText(Buffer.from(bytes)), text)
    })
  }

  test('is in the address for apps, with a name that may have any characters', () => {
    const address = new URL(totpAddress(SECRET, 'Élodie: & co@example.org'))

    assert.equal(decodeURIComponent(address.pathname), '/Trackpress:Élodie: & co@example.org')
    assert.deepEqual(Object.fromEntries(address.searchParams), {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      issuer: 'Trackpress',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('recovery codes', () => {
  test('are ten, each of 80 random bits in groups of four', () => {
    const codes = newRecoveryCodes()

    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
  })

  test('are known however they are typed', () => {
    const written = recoveryCodeHash('anna', 'a10b-c0d1-efgh-jkmn')

    assert.match(written!, /^[0-9a-f]{64}$/)
    for (const typed of ['a10bc0d1efghjkmn', 'A10B C0D1 EFGH JKMN', 'aIOb-cOdl-efgh-jkmn', ' a10b-c0d1-efgh-jkmn\n'])
      assert.equal(recoveryCodeHash('anna', typed), written, typed)
  })

  test('differ for each operator, and for each code', () => {
    const written = recoveryCodeHash('anna', 'a10b-c0d1-efgh-jkmn')

    assert.notEqual(recoveryCodeHash('camille', 'a10b-c0d1-efgh-jkmn'), written)
    assert.notEqual(recoveryCodeHash('anna', 'a10b-c0d1-efgh-jkmp'), written)
  })

  test('are no other text', () => {
    for (const text of ['', '123456', 'a10b-c0d1-efgh-jkm', 'a10b-c0d1-efgh-jkmn-p', 'a10b-c0d1-efgh-jkm!'])
      assert.equal(recoveryCodeHash('anna', text), undefined, text)
  })
})
