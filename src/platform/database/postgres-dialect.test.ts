import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statementNames } from './postgres-pool.ts'

describe('statementNames', () => {
  test('names a text on its second use and keeps the name', () => {
    const nameOf = statementNames()

    const names = [nameOf('select 1'), nameOf('select 1'), nameOf('select 2'), nameOf('select 1'), nameOf('select 2')]

    assert.deepEqual(names, [undefined, 'q1', undefined, 'q1', 'q2'])
  })

  test('never gives two texts one name, and limits the number of names', () => {
    const nameOf = statementNames()
    const texts = Array.from({ length: 1_000 }, (_, index) => `select ${index}`)

    const names = texts.map((text) => {
      nameOf(text)
      return nameOf(text)
    })

    const given = names.filter((name) => name !== undefined)
    assert.equal(given.length, 300)
    assert.equal(new Set(given).size, given.length)
  })

  test('does not name a search for a pattern, which is planned for its pattern', () => {
    const nameOf = statementNames()
    const text = `select id from tracks where search_text like $1 escape '\\'`

    assert.deepEqual([nameOf(text), nameOf(text), nameOf(text)], [undefined, undefined, undefined])
  })

  test('does not name a text as long as a list of values', () => {
    const nameOf = statementNames()
    const text = `select ${'1,'.repeat(3_000)}1`

    assert.deepEqual([nameOf(text), nameOf(text)], [undefined, undefined])
  })
})
