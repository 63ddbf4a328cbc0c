import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import Type from 'typebox'
import type { HttpServer } from '../http-server.ts'
import { ruledBy } from './field-rules.ts'
import { sendProblem } from './problem.ts'
import { validateWithSchemas } from './schema-validation.ts'

const Note = Type.Object({
  title: Type.String({ ...ruledBy((text) => (text.trim() === '' ? 'must have more than white space' : undefined)) }),
  kind: Type.Enum(['short', 'long'] as const),
  path: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      ...ruledBy((text) => (text.endsWith('.pdf') ? undefined : 'must end in .pdf')),
    }),
  ),
})

async function errorsFor(payload: object): Promise<unknown> {
  const app = Fastify() as unknown as HttpServer
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  validateWithSchemas(app, {})
  app.post('/notes', { schema: { body: Note } }, async () => ({}))
  const answer = await app.inject({ method: 'POST', url: '/notes', payload })
  return answer.json().errors
}

describe('a field rule', () => {
  test('is reported together with the other wrong fields of the body', async () => {
    assert.deepEqual(await errorsFor({ title: ' ', kind: 'other', path: 'a.txt' }), [
      { path: 'title', message: 'must have more than white space' },
      { path: 'kind', message: 'must be one of short, long' },
      { path: 'path', message: 'must end in .pdf' },
    ])
  })

  test('accepts valid text, and null where the schema does', async () => {
    assert.equal(await errorsFor({ title: 'Plan', kind: 'short', path: null }), undefined)
    assert.equal(await errorsFor({ title: 'Plan', kind: 'short', path: 'a.pdf' }), undefined)
  })

  test('leaves values of another type to the type of the schema', async () => {
    assert.deepEqual(await errorsFor({ title: 5, kind: 'short' }), [{ path: 'title', message: 'must be string' }])
  })

  test('is no part of the serialised schema', () => {
    assert.ok(!JSON.stringify(Note).includes('fieldRule'))
  })
})
