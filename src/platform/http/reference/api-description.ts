import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { HttpServer } from '../http-server.ts'
import { MAX_KEY_LENGTH } from '../idempotency/idempotency-key.ts'
import { problemResponses, problemsOf } from '../problems/describe-problems.ts'
import { API_CONVENTIONS } from '../server/api-conventions.ts'
import { docsPage } from './docs-page.ts'

export type ApiDescription = {
  title: string
  version: string
  description: string
  baseUrl: () => string
  tags: { name: string; description: string }[]
  /** Ways to be let in besides a token. */
  securitySchemes?: Record<string, OpenAPIV3_1.SecuritySchemeObject>
}

/** Collects the routes that follow into an OpenAPI 3.1 document, served at /openapi.json and, for people, at /docs. */
export async function describeApi(app: HttpServer, description: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: description.title,
        version: description.version,
        description: `${description.description}\n\n${API_CONVENTIONS}`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: description.tags,
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The token, as it is.' },
          Bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The same token, as `Authorization: Bearer <token>`.',
          },
          ...description.securitySchemes,
        },
        schemas: { Problem: problemSchema },
      },
    },
    transform: ({ schema, url }) => ({ url, schema: schema.hide === true ? schema : described(schema) }),
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema-${i}`) },
  })
  const describe = () => ({
    ...(app.swagger() as OpenAPIV3_1.Document),
    servers: [{ url: description.baseUrl() }],
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => describe())
  docsPage(app, describe)
}

/** The schema of a route with what follows from it: what can go wrong, and the key of a request that may be repeated. */
function described({ problems, idempotent, ...schema }: FastifySchema): FastifySchema {
  const responses = problemResponses(problemsOf({ ...schema, problems, idempotent }))
  return {
    ...schema,
    ...(idempotent === true ? { headers: idempotencyHeader } : {}),
    response: { ...(schema.response as object), ...responses },
  }
}

const idempotencyHeader = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      description: 'Any text that names this request; sent again with the same body, it gets the first answer again.',
    },
  },
}

const problemSchema: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  description: 'What went wrong, as RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'The phrase of the status.' },
    status: { type: 'integer', description: 'The HTTP status, again.' },
    code: { type: 'string', description: 'What a program decides by, such as NOT_FOUND.' },
    detail: { type: 'string', description: 'What a person reads.' },
    request_id: { type: 'string', description: 'Finds the request in the server log.' },
    errors: {
      type: 'array',
      description: 'What is wrong with the request, at most 20 of it.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: 'Place in the body, `points/3/latitude`, or name of the parameter.' },
          message: { type: 'string' },
        },
      },
    },
  },
}
