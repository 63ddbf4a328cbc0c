import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { UploadPhase } from './upload-queue.ts'
import { uploadTotals } from './upload-totals.ts'

const upload = (phase: UploadPhase, size: number, sentBytes = 0) => ({ phase, sentBytes, file: { size } as File })

describe('uploadTotals', () => {
  test('counts progress in bytes', () => {
    const uploads = [upload('done', 600, 600), upload('sending', 300, 90), upload('waiting', 100)]

    assert.deepEqual(uploadTotals(uploads), { all: 3, underWay: 2, done: 1, failed: 0, percent: 69 })
  })

  test('reaches 100 percent also if files fail, and never exceeds it', () => {
    const failed = uploadTotals([upload('failed', 300), upload('done', 100, 100)])
    const withFraming = uploadTotals([upload('sending', 100, 130)])

    assert.deepEqual(failed, { all: 2, underWay: 0, done: 1, failed: 1, percent: 100 })
    assert.equal(withFraming.percent, 100)
    assert.equal(uploadTotals([]).percent, 100)
  })
})
