import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Newcomers } from './newcomers.ts'

describe('newcomers', () => {
  let nowMs = 0
  const tries = (newcomers: Newcomers, count: number, address: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => newcomers.admit(address(i))).filter((rank) => rank !== undefined).length

  test('are addresses until their fifth attempt, a subscriber of IPv6 being one', () => {
    const newcomers = new Newcomers(() => nowMs)

    assert.equal(
      tries(newcomers, 9, () => '192.0.2.1'),
      4,
    )
    assert.equal(
      tries(newcomers, 9, (i) => `2001:db8:1:1:${i}::`),
      4,
    )
    assert.equal(
      tries(newcomers, 40, (i) => `2001:db8:2:${i}::`),
      16,
    )
    assert.deepEqual(newcomers.admit('192.0.2.2'), [1, 10])
  })

  test('are addresses that have signed in, or have not tried for a quarter of an hour', () => {
    const newcomers = new Newcomers(() => nowMs)
    tries(newcomers, 9, () => '192.0.2.1')
    tries(newcomers, 9, () => '192.0.2.2')
    newcomers.forgive('192.0.2.1')
    nowMs += 14 * 60_000

    assert.deepEqual([newcomers.admit('192.0.2.1'), newcomers.admit('192.0.2.2')], [[1, 19], undefined])
    nowMs += 15 * 60_000
    assert.deepEqual(newcomers.admit('192.0.2.2'), [1, 1])
  })

  test('come in the order of their attempts, and then of those of their network', () => {
    const newcomers = new Newcomers(() => nowMs)

    assert.deepEqual(
      ['192.0.2.1', '192.0.2.1', '192.0.2.2', '198.51.100.1', '2001:db8::1', '2001:db8:0:1::1'].map((address) =>
        newcomers.admit(address),
      ),
      [
        [1, 1],
        [2, 2],
        [1, 3],
        [1, 1],
        [1, 1],
        [1, 2],
      ],
    )
  })
})
