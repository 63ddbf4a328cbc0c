import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { QueryObserver } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { createQueryClient } from './query-client.ts'

/** Returns how often a query is asked that always fails in the same way. */
async function attempts(failure: Error): Promise<number> {
  const client = createQueryClient()
  let asked = 0
  const queryFn = async () => {
    asked++
    throw failure
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const observer = new QueryObserver(client, { queryKey: ['x'], queryFn, retryDelay: 0 })
  const end = observer.subscribe(({ isError }) => isError && resolve())
  await promise
  end()
  client.clear()
  return asked
}

const answer = (status: number) => new ApiError({ status, code: 'X', detail: 'x' })

describe('createQueryClient', () => {
  test('asks again where the same request may succeed a moment later', async () => {
    for (const failure of [new ApiError(undefined), answer(500), answer(503), new TypeError('x')]) {
      assert.equal(await attempts(failure), 3, String(failure))
    }
  })

  test('asks once for what is refused, damaged or not there', async () => {
    assert.equal(await attempts(new ApiError({ status: 500, code: 'TRACK_DAMAGED', detail: 'x' })), 1)
    for (const status of [400, 401, 403, 404, 409, 429]) assert.equal(await attempts(answer(status)), 1, String(status))
  })
})
