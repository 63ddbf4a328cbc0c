import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptsJpegToo, acceptsWebp } from './accepts-webp.ts'

const cases: [accept: string | undefined, expected: boolean, why: string][] = [
  [undefined, false, 'nothing is said'],
  ['', false, 'nothing is accepted'],
  ['*/*', false, 'anything is accepted'],
  ['image/*', false, 'any image is accepted'],
  ['image/webp', true, 'it is named'],
  ['IMAGE/WebP', true, 'it is named in other letters'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', true, 'a browser of today asks'],
  ['image/jpeg,image/webp;q=0.5', false, 'JPEG is liked better'],
  ['image/webp;q=0.5, image/jpeg;q=0.5', true, 'both are liked as much and it is named first'],
  ['image/jpeg;q=0.5, image/webp;q=0.5', false, 'both are liked as much and JPEG is named first'],
  ['image/*;q=0.9, image/webp;q=0.8', false, 'any other image is liked better'],
  ['image/webp;q=0, */*', false, 'it is ruled out'],
  ['image/webp ; q = 0.3', true, 'it is named with spaces'],
  ['image/webp;q=high', false, 'its quality cannot be read'],
  ['image/webp-next', false, 'another type begins like it'],
]

describe('acceptsWebp', () => {
  for (const [accept, expected, why] of cases) {
    test(`is ${expected} where ${why}`, () => {
      assert.equal(acceptsWebp(accept), expected)
    })
  }
})

describe('acceptsJpegToo', () => {
  for (const [accept, expected] of [
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', true],
    ['image/webp, image/jpeg;q=0.5', true],
    ['image/webp', false],
    ['image/webp, image/jpeg;q=0', false],
    ['image/jpeg', false],
    ['*/*', false],
  ] as const) {
    test(`is ${expected} for ${accept}`, () => {
      assert.equal(acceptsJpegToo(accept), expected)
    })
  }
})
