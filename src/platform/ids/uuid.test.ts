import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { isUuid } from './uuid.ts'

const ID = '7c0e3c1a-52a1-4c8e-9d0b-3f1f6f0a2b9d'

describe('isUuid', () => {
  test('accepts every random UUID', () => {
    assert.equal(isUuid(randomUUID()), true)
  })

  for (const text of ['', ID.slice(1), `${ID}0`, `${ID}\n`, ` ${ID}`, ID.toUpperCase(), ID.replaceAll('-', '')]) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(isUuid(text), false))
  }
})
