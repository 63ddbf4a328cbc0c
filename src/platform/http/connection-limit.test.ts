import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConnectionLimit } from './connection-limit.ts'

describe('ConnectionLimit', () => {
  test('limits the connections of each caller and of all callers together', () => {
    const connections = new ConnectionLimit({ total: 3, perCaller: 2 })

    const held = ['a', 'a', 'a', 'b', 'b', 'c'].map((caller) => connections.hold(caller) !== undefined)

    assert.deepEqual(held, [true, true, false, true, false, false])
    assert.equal(connections.count, 3)
  })

  test('releases each connection once', () => {
    const connections = new ConnectionLimit({ total: 2, perCaller: 2 })
    const [first] = [connections.hold('a')!, connections.hold('a')!]

    first()
    first()

    assert.equal(connections.count, 1)
    assert.ok(connections.hold('a'))
    assert.equal(connections.hold('a'), undefined)
  })
})
