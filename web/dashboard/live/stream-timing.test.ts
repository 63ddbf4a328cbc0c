import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createServerClock, untilShown } from './stream-timing.ts'

const message = (second: number, lagMs = 0) => ({ asOfMs: 1_800_000_000_000 + second * 1000, lagMs })

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

    assert.equal(nowMs - clock.currentAt(message(3))!, 17_000)
  })

  test('tells the time of the server while the page goes on', () => {
    let nowMs = 500
    const clock = createServerClock(() => nowMs)
    assert.equal(clock.serverNowMs(), undefined)
    clock.hear(message(10))

    nowMs = 3500

    assert.equal(clock.serverNowMs(), message(13).asOfMs)
  })
})

describe('the pause of a page', () => {
  /** A document that is hidden until `show` is called. */
  function hiddenDocument(t: TestContext) {
    const { document } = globalThis
    const fake = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    Object.assign(globalThis, { document: fake })
    t.after(() => Object.assign(globalThis, { document }))
    return {
      show() {
        fake.visibilityState = 'visible'
        fake.dispatchEvent(new Event('visibilitychange'))
      },
    }
  }

  test('lasts until somebody looks, and ends at once then', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const page = hiddenDocument(t)
    let isOver = false
    const pause = untilShown(1000, undefined).then(() => {
      isOver = true
    })

    t.mock.timers.tick(600_000)
    await Promise.resolve()
    assert.equal(isOver, false)
    page.show()
    await pause
  })

  test('ends with the page, and leaves nothing behind', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    hiddenDocument(t)
    const ending = new AbortController()
    const pause = untilShown(1000, ending.signal)

    ending.abort()

    await pause
  })
})
