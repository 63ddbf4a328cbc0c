import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { badRequest, unavailable } from '../basics/errors.ts'
import { isBlobsUnavailable, translateBlobFailure } from './blob-failure.ts'

describe('translateBlobFailure', () => {
  test('says that a full disk is full', { skip: process.platform !== 'linux' && 'there is no /dev/full' }, () => {
    const translated = translateBlobFailure(thrownBy(() => writeFileSync('/dev/full', 'x')))

    assert(isBlobsUnavailable(translated))
    assert.equal(translated.status, 503)
    assert.equal(translated.message, 'The storage is full.')
    assert.equal((translated.cause as NodeJS.ErrnoException).code, 'ENOSPC')
  })

  const cases: [object, string][] = [
    [{ code: 'EACCES' }, 'The storage refuses access.'],
    [{ code: 'EROFS' }, 'The storage can only be read.'],
    [{ code: 'ECONNREFUSED' }, 'The storage cannot be reached.'],
    [{ name: 'SlowDown', $metadata: { httpStatusCode: 503 } }, 'The storage is busy.'],
    [{ name: 'UnknownError', $metadata: { httpStatusCode: 403 } }, 'The storage refuses access.'],
    [{ name: 'InternalError', $metadata: { httpStatusCode: 500 } }, 'The storage failed.'],
    [{ name: 'CredentialsProviderError' }, 'There are no credentials for the storage.'],
  ]
  for (const [fields, message] of cases) {
    test(`says: ${message}`, () => {
      const translated = translateBlobFailure(Object.assign(new Error('the driver’s words'), fields))

      assert(isBlobsUnavailable(translated))
      assert.equal(translated.message, message)
    })
  }

  test('leaves mistakes, and errors that have an answer, as they are', () => {
    for (const error of [new TypeError('x is not a function'), badRequest(), unavailable(), 'text', undefined]) {
      assert.equal(translateBlobFailure(error), error)
      assert.equal(isBlobsUnavailable(translateBlobFailure(error)), false)
    }
  })
})

function thrownBy(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
