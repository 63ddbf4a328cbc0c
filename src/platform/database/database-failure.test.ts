import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError, conflict, unavailable } from '../basics/errors.ts'
import { isDatabaseUnavailable, translateFailure } from './database-failure.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('translateFailure', () => {
  const cases: [Error, string][] = [
    [withFields('database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }), "The database's disk is full."],
    [withFields('disk I/O error', { code: 'ERR_SQLITE_ERROR', errcode: 778 }), "The database's disk failed."],
    [
      withFields('attempt to write', { code: 'ERR_SQLITE_ERROR', errcode: 8 }),
      "The database's disk cannot be written to.",
    ],
    [withFields('database is locked', { code: 'ERR_SQLITE_ERROR', errcode: 261 }), 'The database is busy.'],
    [withFields('could not extend file', { code: '53100' }), "The database's disk is full."],
    [withFields('invalid page in block 7', { code: 'XX001' }), "The database's file is damaged."],
    [withFields('sorry, too many clients already', { code: '53300' }), 'The database has too many connections.'],
    [withFields('configuration limit', { code: '53400' }), 'The database has run out of resources.'],
    [withFields('terminating connection', { code: '57P01' }), 'The database cannot be reached.'],
    [withFields('the database system is starting up', { code: '57P03' }), 'The database cannot be reached.'],
    [withFields('canceling statement', { code: '57014' }), 'The database took too long.'],
    [withFields('could not serialize access', { code: '40001' }), 'The database is busy.'],
    [withFields('connect', { code: 'ECONNREFUSED' }), 'The database cannot be reached.'],
    [withFields('connect', { code: 'ENOENT', syscall: 'connect' }), 'The database cannot be reached.'],
    [new Error('Connection terminated unexpectedly'), 'The database cannot be reached.'],
    [new Error('timeout exceeded when trying to connect'), 'The database cannot be reached.'],
  ]
  for (const [error, detail] of cases) {
    test(`describes "${error.message}" as: ${detail}`, () => {
      const translated = translateFailure(error)

      assert(translated instanceof AppError)
      assert.equal(translated.status, 503)
      assert.equal(translated.options.detail, detail)
      assert.equal(translated.cause, error)
      assert.equal(isDatabaseUnavailable(translated), true)
    })
  }

  const others: unknown[] = [
    withFields('UNIQUE constraint failed', { code: 'ERR_SQLITE_ERROR', errcode: 2067 }),
    withFields('duplicate key', { code: '23505' }),
    withFields('syntax error', { code: '42601' }),
    withFields('no such file', { code: 'ENOENT', syscall: 'open' }),
    new TypeError('x is not a function'),
    conflict(),
    'text',
    undefined,
  ]
  for (const error of others) {
    test(`leaves ${error instanceof Error ? error.message : error} unchanged`, () => {
      assert.equal(translateFailure(error), error)
    })
  }

  test('distinguishes failures of the database from those of other parts', () => {
    const fromElsewhere = unavailable({ cause: withFields('connect', { code: 'ECONNREFUSED' }) })

    assert.equal(isDatabaseUnavailable(fromElsewhere), false)
    assert.equal(translateFailure(fromElsewhere), fromElsewhere)
  })
})
