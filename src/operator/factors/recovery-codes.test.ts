import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

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
