import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSameName } from './same-name.ts'

describe('a name that is typed to confirm', () => {
  for (const [typed, name] of [
    ["L'été à Annecy", 'L’été à Annecy'],
    ['Le "Grand Raid"', 'Le « Grand Raid »'],
    ['The "Lake" run', 'The “Lake” run'],
    ['2025-2026', '2025–2026'],
    ['And then...', 'And then…'],
    ['10 km', '10\u202fkm'],
    ['  Trail   2026 ', 'Trail 2026'],
    ['e\u0301te\u0301', 'été'],
    ['trail 2026', 'Trail 2026'],
  ]) {
    test(`may be ${JSON.stringify(typed)} for ${JSON.stringify(name)}`, () => {
      assert.equal(isSameName(typed, name), true)
    })
  }

  test('must have every letter', () => {
    assert.equal(isSameName('Trail', 'Trail 2026'), false)
    assert.equal(isSameName('ete', 'été'), false)
    assert.equal(isSameName('', 'Trail'), false)
  })
})
