import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../api/api-error.ts'
import { mayRetry, RejectedFile, titleOfFile, uploadErrorMessage } from './upload-errors.ts'
import { addressHere } from './upload-queue.ts'

const answered = (status: number, members: object = {}) =>
  new ApiError({ status, code: 'CODE', detail: 'for developers', ...members })

describe('the message for a failed upload', () => {
  const table = [
    ['a file that is no source by its name', new RejectedFile('unknownType'), { key: 'refused.unknown_type' }, false],
    ['an empty file', new RejectedFile('empty'), { key: 'upload.empty' }, false],
    [
      'a file over the limit',
      new RejectedFile('tooLarge'),
      { key: 'upload.tooLarge', values: { limit: '9 B' } },
      false,
    ],
    ['what the server finds too large', answered(413), { key: 'upload.tooLarge', values: { limit: '9 B' } }, false],
    ['what the server finds to be no PDF', answered(422), { key: 'refused.other_type' }, false],
    ['a PDF that does not open', answered(422, { reason: 'not_a_pdf' }), { key: 'refused.not_a_pdf' }, false],
    ['a password', answered(422, { reason: 'password_required' }), { key: 'refused.password_required' }, false],
    ['a path that is taken', answered(409), { key: 'upload.taken' }, true],
    ['a workspace that is gone', answered(404), { key: 'upload.workspaceGone' }, true],
    ['no answer', new ApiError(undefined), { key: 'error.unreachable' }, true],
  ] as const

  for (const [occasion, error, words, again] of table) {
    test(`of ${occasion}`, () => {
      assert.deepEqual(uploadErrorMessage(error, '9 B'), words)
      assert.equal(mayRetry(error), again)
    })
  }
})

describe('a file', () => {
  test('gives the publication its name as it reads', () => {
    assert.equal(titleOfFile('annual_report__2026.PDF'), 'annual report 2026')
    assert.equal(titleOfFile('.pdf'), '.pdf')
  })

  test('is sent to the server of the page, by whatever address that is known', () => {
    const address = addressHere('https://api.example.org/v1/uploads/k?expires=1&signature=a%2Bb', 'k')

    assert.equal(address, '/uploads/k?expires=1&signature=a%2Bb')
  })
})
