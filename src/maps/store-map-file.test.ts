import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError } from '#platform/basics/config.ts'
import { requireStorable } from './store-map-file.ts'

describe('requireStorable', () => {
  test('refuses map files that a bucket cannot copy, and no others', () => {
    requireStorable(1_000_000_000_000, '')
    requireStorable(5_368_709_120, 's3://bucket')

    assert.throws(
      () => requireStorable(5_368_709_121, 's3://bucket'),
      (error: Error) =>
        error instanceof ConfigError && /MAX_MAP_FILE_BYTES must be at most 5368709120/.test(error.message),
    )
  })
})
