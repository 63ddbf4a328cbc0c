import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../basics/errors.ts'
import { StreamLimits } from './connection-limit.ts'

const share = { service: 'tracks', subject: 'share' }
const spectator = (address: string) => ({ address, operatorId: undefined })
const operator = (operatorId: string) => ({ address: '192.0.2.1', operatorId })

function statusOf(hold: () => unknown): number {
  try {
    hold()
    return 200
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.headers['retry-after'], '10')
    return error.status
  }
}

describe('StreamLimits', () => {
  test('keeps streams for operators when spectators have taken all others', () => {
    const limits = new StreamLimits({ total: 2, perCaller: 2 })
    for (const subject of ['one', 'another']) limits.hold({ service: 'tracks', subject }, spectator('192.0.2.1'))

    assert.equal(
      statusOf(() => limits.hold({ service: 'tracks', subject: 'third' }, spectator('192.0.2.2'))),
      503,
    )
    assert.equal(
      statusOf(() => limits.hold(share, operator('anna'))),
      200,
    )
  })

  test('counts each service on its own', () => {
    const limits = new StreamLimits({ total: 1, perCaller: 1 })
    limits.hold(share, spectator('192.0.2.1'))

    assert.equal(
      statusOf(() => limits.hold({ service: 'publications', subject: 'slug' }, spectator('192.0.2.1'))),
      200,
    )
  })

  test('lets one subject have half of the streams, and frees a place when one ends', () => {
    const limits = new StreamLimits({ total: 4, perCaller: 4 })
    const leave = limits.hold(share, spectator('192.0.2.1'))
    limits.hold(share, spectator('192.0.2.2'))

    assert.equal(
      statusOf(() => limits.hold(share, spectator('192.0.2.3'))),
      503,
    )
    assert.equal(
      statusOf(() => limits.hold({ ...share, subject: 'other' }, spectator('192.0.2.3'))),
      200,
    )
    leave()
    assert.equal(
      statusOf(() => limits.hold(share, spectator('192.0.2.3'))),
      200,
    )
  })

  test('limits an address, and an operator to 50 without counting the address', () => {
    const limits = new StreamLimits({ total: 10, perCaller: 1 })
    limits.hold(share, spectator('192.0.2.1'))
    for (let i = 0; i < 50; i++) limits.hold(share, operator('anna'))

    assert.equal(
      statusOf(() => limits.hold(share, spectator('192.0.2.1'))),
      429,
    )
    assert.equal(
      statusOf(() => limits.hold(share, operator('anna'))),
      429,
    )
    assert.equal(
      statusOf(() => limits.hold(share, operator('berta'))),
      200,
    )
  })
})
