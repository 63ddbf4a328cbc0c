import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../api/api-error.ts'
import { errorMessage, fieldErrors } from './error-message.ts'

const answered = (status: number, members: object = {}) =>
  new ApiError({ status, code: 'CODE', detail: 'for developers', ...members })

describe('the message for a failure', () => {
  const table = [
    ['no answer', new ApiError(undefined), { key: 'error.unreachable' }],
    ['a request that is not valid', answered(400), { key: 'error.invalid' }],
    ['no session', answered(401), { key: 'error.signedOut' }],
    ['something not allowed', answered(403), { key: 'error.forbidden' }],
    ['something that is not there', answered(404), { key: 'error.notFound' }],
    ['a conflict', answered(409), { key: 'error.conflict' }],
    ['something used up or expired', answered(410), { key: 'error.gone' }],
    ['a server behind a proxy that is down', answered(502), { key: 'error.unreachable' }],
    ['a server that is not ready', answered(503), { key: 'error.unavailable' }],
    ['a track with damaged points', answered(500, { code: 'TRACK_DAMAGED' }), { key: 'error.damaged' }],
    ['a failure of the server', answered(500), { key: 'error.server' }],
    [
      'a failure that can be looked up',
      answered(500, { request_id: 'r-1' }),
      { key: 'error.serverWithId', values: { requestId: 'r-1' } },
    ],
    ['too many requests', answered(429), { key: 'error.tooMany' }],
    [
      'too many requests, with a time to wait',
      new ApiError({ status: 429, code: 'RATE_LIMIT', detail: '' }, { retryAfterSec: 2.4 }),
      { key: 'error.tooManyWait', values: { count: 3 } },
    ],
    ['a mistake of the page itself', new TypeError('x is undefined'), { key: 'error.unexpected' }],
  ] as const

  for (const [occasion, error, words] of table) {
    test(`of ${occasion}`, () => {
      assert.deepEqual(errorMessage(error), words)
    })
  }
})

describe('the field errors of a form', () => {
  test('are keyed by field', () => {
    const error = answered(400, { errors: [{ path: 'name', message: 'must not be blank' }] })

    assert.deepEqual(fieldErrors(error), { name: 'must not be blank' })
  })

  test('are empty for other failures', () => {
    assert.deepEqual(fieldErrors(answered(409)), {})
    assert.deepEqual(fieldErrors(new TypeError('x')), {})
  })
})
