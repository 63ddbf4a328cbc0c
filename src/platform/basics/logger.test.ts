import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { limitRepeatedFailures } from './logger.ts'

const diskFull = () => Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })

function openLog() {
  const lines: Record<string, unknown>[] = []
  const hooks = { logMethod: limitRepeatedFailures() }
  const log = pino({ hooks }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines, messages: () => lines.map(({ msg, repeated }) => [msg, repeated]) }
}

describe('Repeated failures in the log', () => {
  test('are one line a minute for each kind, and then their number with the requests', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { log, lines, messages } = openLog()

    for (let i = 0; i < 500; i++) log.child({ reqId: `r${i}` }).error({ err: diskFull(), route: `/${i % 5}` }, 'full')
    log.warn({ err: new TypeError('x is undefined') }, 'request failed')
    t.mock.timers.tick(60_000)

    assert.deepEqual(messages(), [
      ['full', undefined],
      ['request failed', undefined],
      ['full', 499],
    ])
    assert.equal((lines[2].requests as string[]).length, 20)
    assert.equal((lines[2].requests as string[])[0], 'r1')
  })

  test('are logged again after the minute', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { log, messages } = openLog()

    log.error({ err: diskFull() }, 'full')
    t.mock.timers.tick(60_000)
    log.error({ err: diskFull() }, 'full')

    assert.deepEqual(messages(), [
      ['full', undefined],
      ['full', undefined],
    ])
  })

  test('do not hide other failures, or lines that are none', () => {
    const { log, messages } = openLog()
    const failures = [new TypeError('a'), new RangeError('a')]

    for (const err of failures) log.error({ err }, 'request failed')
    for (let i = 0; i < 3; i++) log.warn({ ip: '192.0.2.1' }, 'sign-in failed')
    for (let i = 0; i < 2; i++) log.info({ err: failures[0] }, 'for information')

    assert.equal(messages().length, 7)
  })

  test('are kinds of a bounded number', () => {
    const { log, messages } = openLog()

    for (let i = 0; i < 1000; i++) log.error({ err: diskFull() }, `text ${i}`)

    assert.equal(messages().length, 201)
  })
})
