import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify from 'fastify'
import Type, { type TSchema } from 'typebox'
import { ruledBy, ruledTogether } from './field-rules.ts'
import type { HttpServer } from './http-server.ts'
import { sendProblem } from './problem.ts'
import { validateWithSchemas } from './schema-validation.ts'

const Period = Type.Object(
  { name: Type.String({ minLength: 1 }), from: Type.Integer(), to: Type.Integer() },
  {
    ...ruledTogether(({ from, to }) =>
      Number(to) < Number(from) ? [{ path: 'to', message: 'must not be before from' }] : [],
    ),
  },
)

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

async function errorsFor(payload: object, body: TSchema = Note): Promise<unknown> {
  const app = Fastify() as unknown as HttpServer
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  validateWithSchemas(app, {})
  app.post('/notes', { schema: { body } }, async () => ({}))
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

  test('leaves values of another type to the `type` keyword', async () => {
    assert.deepEqual(await errorsFor({ title: 5, kind: 'short' }), [{ path: 'title', message: 'must be string' }])
  })

  test('is not part of the serialised schema', () => {
    assert.ok(!JSON.stringify(Note).includes('fieldRule'))
  })
})

describe('an object rule', () => {
  test('is reported together with the other wrong fields, by its own path', async () => {
    assert.deepEqual(await errorsFor({ name: '', from: 2, to: 1 }, Period), [
      { path: 'name', message: 'must NOT have fewer than 1 characters' },
      { path: 'to', message: 'must not be before from' },
    ])
  })

  test('adds its path to that of a nested object', async () => {
    assert.deepEqual(await errorsFor({ period: { name: 'a', from: 2, to: 1 } }, Type.Object({ period: Period })), [
      { path: 'period/to', message: 'must not be before from' },
    ])
  })

  test('accepts a valid object', async () => {
    assert.equal(await errorsFor({ name: 'a', from: 1, to: 1 }, Period), undefined)
  })
})
