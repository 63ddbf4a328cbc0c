import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createServerClock } from './server-clock.ts'

const message = (second: number, lag_ms = 0) => ({
  as_of: new Date(1_800_000_000_000 + second * 1000).toISOString(),
  lag_ms,
})

describe('the clock of the server', () => {
  test('tells how old a state was when the server sent it, whatever the difference of the clocks', () => {
    const clock = createServerClock(() => 500)

    clock.hear(message(0, 15_000))

    assert.equal(clock.currentAt(message(0)), 500 - 15_000)
  })

  test('tells by how much a later message was held up on its way', () => {
    let nowMs = 0
    const clock = createServerClock(() => nowMs)
    clock.hear(message(0))

    nowMs = 20_000
    clock.hear(message(3))

    assert.equal(nowMs - clock.currentAt(message(3)), 17_000)
  })
})
