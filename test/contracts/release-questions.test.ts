import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { before, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import type { RouteOptions } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { databases } from '../support/databases.ts'
import { STORED_BASE_URL, type StoredRequest } from '../support/releases/exchange.ts'
import { questions } from '../support/releases/questions.ts'
import { SAMPLE_FILLED } from '../support/releases/sample-filled.ts'
import { unaskedEndpoints } from '../support/releases/unasked-endpoints.ts'
import { startService } from '../support/start-service.ts'

type ObjectSchema = { properties?: Record<string, object> }

// Filling an installation takes half a minute, so a release finds its questions out of date only when it is made. These
// tests compare the questions with the routes, without asking them.

const asked = questions(SAMPLE_FILLED)

describe('the questions to a stored release', () => {
  let routes: RouteOptions[] = []
  before(async () => {
    routes = await routesOfServer()
  })

  const routeOf = ({ method, path }: StoredRequest) =>
    routes.find((route) => route.method === method && patternOf(route.url).test(path.split('?')[0]))

  test('ask each endpoint of the API that reads', () => {
    const paths = asked.filter(({ method }) => method === 'GET').map(({ path }) => path)

    assert.deepEqual(unaskedEndpoints(paths), [], 'test/support/releases/questions.ts has to ask them')
  })

  test('have names of their own, and lead to routes', () => {
    const lost = asked.filter((request) => routeOf(request) === undefined)

    assert.deepEqual(
      lost.map(({ method, path }) => `${method} ${path}`),
      [],
    )
    assert.equal(new Set(asked.map(({ name }) => name)).size, asked.length)
  })

  test('have parameters and bodies that the routes know', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const request of asked) {
      const { schema } = routeOf(request)!
      const known = (schema?.querystring as ObjectSchema | undefined)?.properties
      for (const name of new URLSearchParams(request.path.split('?')[1]).keys())
        if (schema?.operationId !== undefined) assert.ok(known?.[name], `${request.name}: ${name}`)
      if (schema?.body !== undefined && request.body !== undefined)
        assert.ok(ajv.validate(schema.body as object, request.body), `${request.name}: ${ajv.errorsText()}`)
    }
  })

  test('name times of answers that the answers have', () => {
    const timely = asked.filter((request) => request.timely !== undefined)
    for (const request of timely) {
      const { response } = routeOf(request)!.schema as { response: Record<string, ObjectSchema> }
      const members = Object.values(response).flatMap(({ properties = {} }) => Object.keys(properties))
      for (const member of request.timely!) assert.ok(members.includes(member), `${request.name}: ${member}`)
    }
    assert.ok(timely.length > 0)
  })
})

/** Starts a server like that of a stored installation, and returns its routes but for those that take any address. */
async function routesOfServer(): Promise<RouteOptions[]> {
  const routes: RouteOptions[] = []
  const ends: (() => Promise<void> | void)[] = []
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: HttpServer }
    fastify.addHook('onRoute', (route) => void routes.push(route))
  }
  subscribe('fastify.initialization', watch)
  try {
    await startService({ after: (end) => ends.push(end) }, databases[0], { settings: { BASE_URL: STORED_BASE_URL } })
    return routes.filter(({ url }) => !url.includes('*'))
  } finally {
    unsubscribe('fastify.initialization', watch)
    for (const end of ends.reverse()) await end()
  }
}

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
}
