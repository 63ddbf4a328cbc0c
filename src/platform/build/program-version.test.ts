import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { programVersion } from './program-version.ts'

describe('The version of the program', () => {
  test('names the build', () => {
    assert.equal(programVersion('0.1.0', 'd1f0c3a49e77b2'.repeat(4)), '0.1.0+d1f0c3a49e77')
  })

  test('is the number alone for sources that run as they are', () => {
    assert.equal(programVersion('0.1.0'), '0.1.0')
  })
})
