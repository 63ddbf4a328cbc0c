import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../basics/errors.ts'
import { BodyBudget, releaseBody, takeBodyBuffer } from './body-limits.ts'

const MIB = 1_048_576

function requestFrom(ip: string, token?: string): FastifyRequest {
  return { ip, headers: { 'x-api-key': token } } as unknown as FastifyRequest
}

/** Returns 0 if the memory is given, else the status of the refusal. */
function outcome(grow: () => void): number {
  try {
    grow()
    return 0
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.match(error.headers['retry-after'], /^\d+$/)
    return error.status
  }
}

describe('BodyBudget', () => {
  test('gives a quarter to an address, half to a token, and then refuses all', () => {
    const budget = new BodyBudget(16 * MIB)
    const take = (ip: string, token: string, mib: number) =>
      outcome(() => budget.open(requestFrom(ip, token)).growTo(mib * MIB))

    const outcomes = [
      take('192.0.2.1', 'a', 4),
      take('192.0.2.1', 'b', 1),
      take('192.0.2.2', 'a', 4),
      take('192.0.2.3', 'a', 1),
      take('192.0.2.3', 'b', 4),
      take('192.0.2.4', 'c', 4),
      take('192.0.2.5', 'd', 1),
    ]

    assert.deepEqual(outcomes, [0, 429, 0, 429, 0, 0, 503])
    assert.equal(budget.usedBytes, 16 * MIB)
  })

  test('counts the addresses of an IPv6 subscriber as one', () => {
    const budget = new BodyBudget(16 * MIB)
    budget.open(requestFrom('2001:db8::1')).growTo(4 * MIB)

    assert.equal(
      outcome(() => budget.open(requestFrom('2001:db8::2')).growTo(1)),
      429,
    )
  })

  test('takes back what a body held, also after a refusal', () => {
    const budget = new BodyBudget(16 * MIB)
    const memory = budget.open(requestFrom('192.0.2.1', 'a'))
    memory.growTo(MIB)
    memory.growTo(3 * MIB)
    assert.equal(
      outcome(() => memory.growTo(5 * MIB)),
      429,
    )
    assert.equal(budget.usedBytes, 3 * MIB)

    memory.release()
    memory.release()

    assert.equal(budget.usedBytes, 0)
    const again = ['192.0.2.1', '192.0.2.2'].map((ip) =>
      outcome(() => budget.open(requestFrom(ip, 'a')).growTo(4 * MIB)),
    )
    assert.deepEqual(again, [0, 0])
  })
})

describe('takeBodyBuffer', () => {
  test('pools buffers only for large bodies of known length', () => {
    assert.equal(takeBodyBuffer(0), undefined)
    assert.equal(takeBodyBuffer(65_536), undefined)
    assert.equal(takeBodyBuffer(4_194_305), undefined)
    assert.equal(takeBodyBuffer(Number.NaN), undefined)
    assert.ok(takeBodyBuffer(100_000)!.length >= 100_000)
  })

  test('never gives the same buffer to two bodies, even if one is released twice', () => {
    const first = takeBodyBuffer(200_000)!
    releaseBody(first.subarray(0, 200_000))
    releaseBody(first.subarray(0, 200_000))

    const [second, third] = [takeBodyBuffer(200_000)!, takeBodyBuffer(200_000)!]

    assert.equal(second.buffer, first.buffer)
    assert.notEqual(third.buffer, second.buffer)
  })
})
