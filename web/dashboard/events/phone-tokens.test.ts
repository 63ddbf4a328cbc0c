import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppToken } from '../api/events.ts'
import { isForPhones, phoneTokens } from './phone-tokens.ts'

type Permissions = AppToken['permissions']
const token = (user_id: string | null, ...permissions: Permissions) => ({ user_id, permissions })

describe('phoneTokens', () => {
  test('leaves out what reads the tracks of others, deletes, or does not record', () => {
    assert.equal(isForPhones(token(null, 'record', 'read')), false)
    assert.equal(isForPhones(token(null, 'record', 'manage')), false)
    assert.equal(isForPhones(token('anna', 'record', 'manage')), false)
    assert.equal(isForPhones(token('anna', 'read')), false)
    assert.equal(isForPhones(token(null, 'record')), true)
    assert.equal(isForPhones(token('anna', 'record', 'read')), true)
  })

  test('puts those of one person first, and of those the ones that only record', () => {
    const [all, both, only] = [token(null, 'record'), token('anna', 'record', 'read'), token('ben', 'record')]

    assert.deepEqual(phoneTokens([all, token(null, 'record', 'read'), both, only]), [only, both, all])
  })
})
