import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTrimmed, shownPartOf, WHOLE_TRACK } from './shown-part.ts'

describe('the shown part of a track', () => {
  test('is all of it unless an end is trimmed', () => {
    assert.deepEqual(shownPartOf({ shown_from_ms: null, shown_until_ms: null }), WHOLE_TRACK)
    assert.equal(isTrimmed(WHOLE_TRACK), false)
    assert.equal(isTrimmed(shownPartOf({ shown_from_ms: 0, shown_until_ms: null })), true)
  })
})
