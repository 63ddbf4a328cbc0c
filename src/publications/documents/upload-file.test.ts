import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { UploadLimiter } from './upload-file.ts'

describe('UploadLimiter', () => {
  test('runs 32 uploads of an address and 64 of a workspace at once, and refuses more', async () => {
    const { begin } = arrange()

    const first = await Promise.all(range(33).map(() => begin({ address: '192.0.2.1' })))
    const second = await Promise.all(range(32).map(() => begin({ address: '192.0.2.2' })))
    const third = await begin({ address: '192.0.2.3' })
    const other = await begin({ address: '192.0.2.3', workspaceId: 'other' })

    assert.deepEqual(
      [first, second].map((outcomes) => outcomes.filter((outcome) => outcome === 'begun').length),
      [32, 32],
    )
    assert.deepEqual([first.at(-1), third, other], ['RATE_LIMIT', 'RATE_LIMIT', 'begun'])
  })

  test('gives back the turns of uploads that ended, failed or were refused', async () => {
    const { begin, end } = arrange()

    for (const failure of [undefined, new Error('no disk')]) {
      await Promise.all(range(40).map(() => begin({ address: '192.0.2.1' })))
      await end(failure)
    }
    const again = await Promise.all(range(32).map(() => begin({ address: '192.0.2.1' })))

    assert.deepEqual(new Set(again), new Set(['begun']))
  })

  test('gives back the ticket of an upload that failed', async () => {
    const { begin, end } = arrange()

    await begin({ storageKey: 'ticket' })
    await end(new Error('no disk'))

    assert.equal(await begin({ storageKey: 'ticket' }), 'begun')
  })
})

/** Uploads that go on until they are ended. */
function arrange() {
  const turns = new UploadLimiter()
  const ends: ((failure: Error | undefined) => Promise<unknown>)[] = []
  let tickets = 0

  /** Returns `begun`, or the code of the refusal. */
  async function begin({ workspaceId = 'workspace', storageKey = `key ${++tickets}`, address = '192.0.2.1' }) {
    const begun = Promise.withResolvers<string>()
    const ending = Promise.withResolvers<void>()
    ending.promise.catch(() => {})
    // The sockets are asked for only if another upload has the same ticket.
    const request = { socket: { destroyed: false }, complete: true } as IncomingMessage
    const done = turns
      .run(request, { workspaceId, storageKey, address }, async () => {
        begun.resolve('begun')
        await ending.promise
      })
      .catch((error: { code?: string }) => begun.resolve(error.code ?? 'failed'))
    ends.push((failure) => {
      if (failure === undefined) ending.resolve()
      else ending.reject(failure)
      return done
    })
    return await begun.promise
  }

  return {
    begin,
    end: (failure: Error | undefined) => Promise.all(ends.splice(0).map((end) => end(failure))),
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at)
}
