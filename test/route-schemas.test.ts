import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import type { RouteOptions } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { ParticipantTokensCreate } from '../src/tracks/api/token-schemas.ts'
import { SyncFrame } from '../src/tracks/api/track-schemas.ts'
import { RunnersUpdate } from '../src/tracks/race/runner-schemas.ts'
import { databases } from './support/databases.ts'
import { startService } from './support/start-service.ts'

// The server does not check its schemas when it compiles them, because that takes longer than compiling.

const PARTS = ['body', 'querystring', 'params', 'headers'] as const

describe('the schemas of requests', () => {
  test('are valid for every route of every service', async (t) => {
    const routes: RouteOptions[] = []
    const watch = (message: unknown) => {
      const { fastify } = message as { fastify: HttpServer }
      fastify.addHook('onRoute', (route) => void routes.push(route))
    }
    subscribe('fastify.initialization', watch)
    t.after(() => unsubscribe('fastify.initialization', watch))

    await startService(t, databases[0])

    const checked = routes.flatMap(({ method, url, schema = {} }) =>
      PARTS.filter((part) => schema[part] !== undefined).map((part) => ({
        place: `${method} ${url} ${part}`,
        problems: problemsOf(schema[part] as object),
      })),
    )
    assert.ok(checked.length > 100, `only ${checked.length} schemas were seen`)
    assert.deepEqual(
      checked.filter(({ problems }) => problems !== undefined),
      [],
    )
  })

  test('are valid for what routes check themselves', () => {
    assert.deepEqual([ParticipantTokensCreate, RunnersUpdate, SyncFrame].map(problemsOf), [
      undefined,
      undefined,
      undefined,
    ])
  })

  test('are refused with a wrong value of a keyword', () => {
    assert.match(problemsOf({ type: 'string', maxLength: 'ten' })!, /maxLength must be integer/)
  })
})

const ajv = new Ajv()

/** Returns what makes a schema invalid, if anything does. */
function problemsOf(schema: object): string | undefined {
  return ajv.validateSchema(schema) ? undefined : ajv.errorsText(ajv.errors)
}
