import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatBytes, progressLine } from './progress.ts'

describe('progressLine', () => {
  test('shows how much of the file was sent', () => {
    assert.equal(
      progressLine({ step: 'uploading', sentBytes: 6_000_000, bytes: 24_000_000 }),
      'Uploading  ██████░░░░░░░░░░░░░░░░░░  25 %  6.0 MB of 24.0 MB',
    )
  })

  test('shows the number of finished pages', () => {
    assert.equal(
      progressLine({ step: 'rendering', pages: 24, readyPages: 23 }),
      'Rendering  ███████████████████████░  95 %  23 of 24 pages',
    )
    assert.equal(
      progressLine({ step: 'rendering', pages: 1, readyPages: 1 }),
      'Rendering  ████████████████████████ 100 %  1 of 1 page',
    )
  })

  test('fits the width of the terminal', () => {
    assert.equal(progressLine({ step: 'rendering', pages: 24, readyPages: 24 }, 13), 'Rendering  ██')
    assert.equal(progressLine({ step: 'opening' }, -1), '')
  })
})

test('formatBytes changes units before a value reaches a thousand', () => {
  const sizes = [0, 999, 1000, 999_499, 999_500, 999_949_999, 999_950_000]

  assert.deepEqual(sizes.map(formatBytes), ['0 bytes', '999 bytes', '1 kB', '999 kB', '1.0 MB', '999.9 MB', '1.00 GB'])
})
