import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rejection } from '../../../test/support/rejection.ts'
import { SharedWork } from './work-queue.ts'

/** Work that is done when `finish` is called, and how often it began. */
function makeWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const seen = { begun: 0, abandoned: undefined as AbortSignal | undefined }
  const begin = (abandoned: AbortSignal) => {
    seen.begun++
    seen.abandoned = abandoned
    return promise
  }
  return { begin, seen, finish: resolve, fail: reject }
}

describe('SharedWork', () => {
  test('does the work of a key once for all who ask at the same time', async () => {
    const shared = new SharedWork<string>()
    const { begin, seen, finish } = makeWork()

    const joined = [shared.join('key', undefined, begin), shared.join('key', undefined, begin)]
    finish('done')

    assert.deepEqual(await Promise.all(joined), ['done', 'done'])
    assert.equal(seen.begun, 1)
  })

  test('goes on while one of those who asked still waits', async () => {
    const shared = new SharedWork<string>()
    const { begin, seen, finish } = makeWork()
    const leaving = new AbortController()
    const left = rejection(shared.join('key', leaving.signal, begin))
    const stays = shared.join('key', undefined, begin)

    leaving.abort(new Error('left'))

    assert.equal(((await left) as Error).message, 'left')
    assert.equal(seen.abandoned?.aborted, false)
    finish('done')
    assert.equal(await stays, 'done')
  })

  test('abandons the work when the last one leaves, and begins again for the next', async () => {
    const shared = new SharedWork<string>()
    const [first, second] = [makeWork(), makeWork()]
    const leaving = new AbortController()
    const left = rejection(shared.join('key', leaving.signal, first.begin))

    leaving.abort()
    await left
    const next = shared.join('key', undefined, second.begin)

    assert.equal(first.seen.abandoned?.aborted, true)
    first.fail(new Error('abandoned'))
    second.finish('done')
    assert.equal(await next, 'done')
  })

  test('passes a failure on to all, and keeps nothing of it', async () => {
    const shared = new SharedWork<string>()
    const [failing, next] = [makeWork(), makeWork()]
    const joined = [1, 2].map(() => rejection(shared.join('key', undefined, failing.begin)))

    failing.fail(new Error('damaged'))
    const errors = (await Promise.all(joined)) as Error[]
    next.finish('done')

    assert.deepEqual(
      errors.map(({ message }) => message),
      ['damaged', 'damaged'],
    )
    assert.equal(await shared.join('key', undefined, next.begin), 'done')
  })
})
