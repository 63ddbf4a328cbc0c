import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { apportion, type Claim } from './shared-limit.ts'

const wants = (...wanted: number[]): Claim[] => wanted.map((each) => ({ held: 0, wanted: each }))

describe('apportion', () => {
  for (const [name, claims, expected] of [
    ['gives all alike what nobody claims', wants(0, 0, 0), [34, 33, 33]],
    ['gives those who want less what they want', wants(100, 20, 10), [70, 20, 10]],
    ['divides evenly among those who all want more', wants(100, 100, 0), [50, 50, 0]],
    ['adds what is left to every share', wants(40, 0), [70, 30]],
    ['leaves what is held', [{ held: 80, wanted: 90 }, ...wants(100)], [90, 10]],
  ] as const) {
    test(name, () => {
      assert.deepEqual(apportion(100, claims), expected)
    })
  }

  test('gives away exactly the limit, or what is held beyond it', () => {
    const claim = fc
      .record({ held: fc.nat(50), more: fc.nat(300) })
      .map(({ held, more }) => ({ held, wanted: held + more }))

    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.array(claim, { minLength: 1, maxLength: 6 }),
        (limit, claims) => {
          const held = claims.reduce((sum, each) => sum + each.held, 0)
          const shares = apportion(limit, claims)

          assert.equal(
            shares.reduce((sum, share) => sum + share, 0),
            Math.max(limit, held),
          )
          for (const [at, share] of shares.entries()) assert.ok(share >= claims[at].held)
        },
      ),
    )
  })
})
