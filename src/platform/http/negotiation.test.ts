import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { preferredEncoding, preferredMediaType, readPreferences } from './negotiation.ts'

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

describe('readPreferences', () => {
  const read = (header: string | string[] | undefined) => Object.fromEntries(readPreferences(header))

  test('returns names in lower case with their values', () => {
    assert.deepEqual(read('handling=lenient, Return=representation'), {
      handling: 'lenient',
      return: 'representation',
    })
    assert.deepEqual(read(['respond-async', 'wait=10']), { 'respond-async': '', wait: '10' })
  })

  test('reads quoted values and skips parameters', () => {
    assert.deepEqual(read('handling = "lenient"; a="x,y;z"; b, return="re\\present"'), {
      handling: 'lenient',
      return: 'represent',
    })
  })

  test('takes the first of several with one name', () => {
    assert.deepEqual(read('handling=strict, HANDLING=lenient'), { handling: 'strict' })
  })

  test('ignores what it cannot read, and an endless header', () => {
    assert.deepEqual(read('=lenient, (x), handling=lenient'), { handling: 'lenient' })
    assert.deepEqual(read(undefined), {})
    assert.deepEqual(read(''), {})
    assert.deepEqual(read(`${'a,'.repeat(600)}handling=lenient`), {})
  })

  test('comes to an end for a header that is made to take long', () => {
    for (const text of [
      `a${' '.repeat(990)}x`,
      `a;${'"'.repeat(991)}`,
      `a="${'\\'.repeat(990)}`,
      `a${';'.repeat(990)}"`,
    ]) {
      assert.deepEqual(read(text), {}, text.slice(0, 3))
    }
  })
})
