import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { preferredEncoding, preferredLanguage, preferredMediaType } from './negotiation.ts'

describe('preferredMediaType', () => {
  for (const [accept, preferred] of [
    ['image/avif,image/webp,image/*,*/*;q=0.8', 'image/webp'],
    ['image/jpeg,image/webp;q=0.5', 'image/jpeg'],
    ['image/*;q=0.9, image/webp;q=0.8', 'image/jpeg'],
    ['image/webp;q=0, */*', 'image/jpeg'],
    ['text/html', undefined],
    ['', undefined],
  ] as const) {
    test(`returns ${preferred} for ${JSON.stringify(accept)}`, () => {
      assert.equal(preferredMediaType(accept, ['image/webp', 'image/jpeg']), preferred)
    })
  }
})

describe('preferredLanguage', () => {
  for (const [acceptLanguage, preferred] of [
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['de, fr;q=0.4, en;q=0.5', 'en'],
    ['de', undefined],
    [undefined, 'en'],
  ] as const) {
    test(`returns ${preferred} for ${JSON.stringify(acceptLanguage)}`, () => {
      assert.equal(preferredLanguage(acceptLanguage, ['en', 'fr']), preferred)
    })
  }
})

describe('preferredEncoding', () => {
  for (const [acceptEncoding, preferred] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP;q=0.5 , br;q=1', 'br'],
    ['zstd;q=0, gzip', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ] as const) {
    test(`returns ${preferred} for ${JSON.stringify(acceptEncoding)}`, () => {
      assert.equal(preferredEncoding(acceptEncoding, ['zstd', 'br', 'gzip']), preferred)
    })
  }

  test('reads a header of ten megabytes, for which work that grows with its square would take an hour', () => {
    assert.equal(preferredEncoding(',gzip;q=0.1'.repeat(1_000_000), ['gzip']), 'gzip')
  })
})
