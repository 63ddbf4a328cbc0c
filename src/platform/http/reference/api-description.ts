import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { HttpServer } from '../http-server.ts'
import { MAX_KEY_LENGTH } from '../idempotency/idempotency-key.ts'
import { problemResponses, problemsOf } from '../problems/describe-problems.ts'
import { API_CONVENTIONS } from '../server/api-conventions.ts'
import { docsPage } from './docs-page.ts'
import type { Document, PartDescription } from './open-api-types.ts'
import { partOfDocument } from './part-of-document.ts'
import { withProblem } from './problem-schema.ts'
import { serveDocument } from './serve-document.ts'

type ApiDescription = {
  title: string
  version: string
  description: string
  baseUrl: () => string
  tags: { name: string; description: string }[]
  /** Parts of the API that have a document of their own. */
  parts: readonly PartDescription[]
  /** Requests that webhooks get, as path items, once the routes are complete. */
  webhooks: () => Record<string, object>
  /** Schemas of members that services add to problem documents, by name. */
  problemMembers: Record<string, object>
  /** Ways to authenticate besides a token. */
  securitySchemes?: Record<string, OpenAPIV3_1.SecuritySchemeObject>
}

/**
 * Collects the routes that follow into an OpenAPI document. Serves it at /openapi.json, each part of it at
 * `/<part>.openapi.json`, and a page for people at /docs.
 */
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
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The token on its own.' },
          Bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The same token, as `Authorization: Bearer <token>`.',
          },
          ...description.securitySchemes,
        },
      },
    },
    transform: ({ schema, url }) => ({ url, schema: schema.hide === true ? schema : described(schema) }),
  })
  let whole: Document | undefined
  // Routes are complete once the server listens, and so is its address.
  const describe = () => {
    whole ??= withProblem(
      {
        ...(app.swagger() as Document),
        webhooks: description.webhooks() as NonNullable<Document['webhooks']>,
        servers: [{ url: description.baseUrl() }],
      },
      description.problemMembers,
    )
    return whole
  }
  serveDocument(app, '/openapi.json', describe)
  for (const part of description.parts) {
    const ofPart = { ...part, description: `${part.description}\n\n${API_CONVENTIONS}` }
    serveDocument(app, `/${part.name}.openapi.json`, () => partOfDocument(describe(), ofPart))
  }
  docsPage(app, describe)
}

/** Completes the schema of a route: security, error responses, and the headers Idempotency-Key and Prefer. */
function described({ problems, idempotent, preferences, permission: _, ...schema }: FastifySchema): FastifySchema {
  const headers = {
    ...(idempotent === true && idempotencyHeader),
    ...(preferences !== undefined && preferHeader(preferences)),
  }
  const responses = problemResponses(problemsOf({ ...schema, problems, idempotent }))
  return {
    // An explicit empty list says that an operation needs neither token nor session.
    security: [],
    ...schema,
    ...(Object.keys(headers).length > 0 && { headers: { type: 'object', properties: headers } }),
    response: { ...(schema.response as object), ...responses },
  }
}

const idempotencyHeader = {
  'Idempotency-Key': {
    type: 'string',
    minLength: 1,
    maxLength: MAX_KEY_LENGTH,
    description: 'Identifies the request. Sent again with the same body, it returns the first response.',
  },
}

function preferHeader(preferences: readonly string[]) {
  const known = preferences.map((preference) => `\`${preference}\``).join(', ')
  return {
    Prefer: {
      type: 'string',
      description: `RFC 7240; ${known}. \`Preference-Applied\` in the response names those that were followed.`,
    },
  }
}
