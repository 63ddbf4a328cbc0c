import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SharedTrack } from '../../../../src/tracks/schemas/track-summaries.ts'
import { colourings, createColours } from './runner-colours.ts'

const runner = (id: string, more: object = {}) => ({ id, title: id, state: 'running', ...more }) as SharedTrack

describe('the colours of runners', () => {
  const colourOf = createColours()

  test('show the status, of which finished and silent differ', () => {
    const colours = (['running', 'paused', 'silent', 'stopped'] as const).map((status) =>
      colourOf(runner('a'), status, 'status'),
    )

    assert.equal(new Set(colours).size, 4)
  })

  test('are the same for all tracks of a person or a category', () => {
    const [first, second] = [runner('a', { user_id: 'anna', category: 'F40' }), runner('b', { user_id: 'anna' })]

    assert.equal(colourOf(first, 'running', 'person'), colourOf(second, 'stopped', 'person'))
    assert.notEqual(colourOf(first, 'running', 'runner'), colourOf(second, 'running', 'runner'))
    assert.equal(
      colourOf(first, 'running', 'category'),
      colourOf(runner('c', { category: 'F40' }), 'running', 'category'),
    )
  })

  test('differ for every category of a race', () => {
    const categories = ['F20', 'F40', 'F50', 'F60', 'M20', 'M40', 'M50', 'M60']

    const colours = categories.map((category) => colourOf(runner(category, { category }), 'running', 'category'))

    assert.equal(new Set(colours).size, 8)
  })

  test('leave a silent runner grey in every grouping', () => {
    assert.equal(colourOf(runner('a'), 'silent', 'runner'), colourOf(runner('b'), 'silent', 'status'))
  })

  test('are offered for what the tracks have', () => {
    assert.deepEqual(colourings([runner('a')]), ['status', 'runner'])
    assert.deepEqual(colourings([runner('a', { user_id: 'anna' }), runner('b', { category: 'F40' })]), [
      'status',
      'runner',
      'person',
      'category',
    ])
  })
})
