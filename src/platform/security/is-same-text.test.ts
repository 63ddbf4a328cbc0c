import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameText } from './is-same-text.ts'

test('texts are the same only if all their bytes are, whatever characters they have', () => {
  assert.ok(isSameText('secret', 'secret'))
  assert.ok(isSameText('', ''))
  for (const given of ['secreT', 'secre', 'secrets', '', 'secreé', 'ééé', '\ud800ecret', '秘密秘密秘密']) {
    assert.equal(isSameText(given, 'secret'), false, given)
  }
})
