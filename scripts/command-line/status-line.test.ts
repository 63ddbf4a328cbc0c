import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showStatus } from './status-line.ts'

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
