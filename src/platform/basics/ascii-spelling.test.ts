import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asciiSpelling } from './ascii-spelling.ts'

describe('asciiSpelling', () => {
  test('spells letters of any script, and leaves ASCII as it is', () => {
    const spelled = ['Plain text, with "marks"\n', 'Évènement à Zürich', 'Ελλάδα', '東京'].map(asciiSpelling)

    assert.deepEqual(spelled, ['Plain text, with "marks"\n', 'Evenement a Zurich', 'Ellada', 'DongJing'])
  })
})
