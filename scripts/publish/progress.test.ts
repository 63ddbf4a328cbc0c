import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatBytes, progressLine, showStatus } from './progress.ts'

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

function makeTerminal(isTTY: boolean) {
  const terminal = {
    isTTY,
    columns: 40,
    text: '',
    write(text: string) {
      terminal.text += text
    },
  }
  return terminal
}

test('redraws one line on a terminal, and clears it for other output', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const terminal = makeTerminal(true)
  let count = 0
  const status = showStatus(terminal, (width) => `${count} of ${width}`)

  t.mock.timers.tick(100)
  count = 1
  t.mock.timers.tick(100)
  t.mock.timers.tick(100)
  status.interrupt(() => terminal.write('between\n'))
  status.stop()

  assert.equal(terminal.text.replaceAll('\r\u001b[K', '<'), '<0 of 39<1 of 39<between\n<1 of 39\n')
})

test('writes occasional changed lines elsewhere, and one at the end', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const terminal = makeTerminal(false)
  let count = 0
  const status = showStatus(terminal, () => String(count))

  t.mock.timers.tick(10_000)
  count = 1
  status.interrupt(() => terminal.write('between\n'))
  status.stop()

  assert.equal(terminal.text, '0\nbetween\n1\n')
})
