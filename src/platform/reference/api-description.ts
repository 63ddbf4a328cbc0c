import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { HttpServer } from '../http/http-server.ts'
import { MAX_KEY_LENGTH } from '../http/idempotency-key.ts'
import { problemResponses, problemsOf } from '../http/problem.ts'
import { docsPage } from './docs-page.ts'
import { type Document, type PartDescription, serveDocument } from './serve-document.ts'

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
  docsPage(app, description.parts)
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

/** Returns the document reduced to the operations of one part, which have one of its tags. */
function partOfDocument(document: Document, part: PartDescription): Document {
  const kept = ofPart(document.paths, part)
  const webhooks = ofPart(document.webhooks, part)
  const used = new Set(kept.flatMap(([, item]) => Object.values(item).flatMap(schemesOf)))
  const schemes = Object.entries(document.components?.securitySchemes ?? {}).filter(([name]) => used.has(name))
  const { webhooks: _, ...others } = document
  return {
    ...others,
    info: { ...document.info, title: part.title, description: part.description },
    tags: document.tags?.filter(({ name }) => part.tags.includes(name)),
    paths: Object.fromEntries(kept),
    ...(webhooks.length > 0 && { webhooks: Object.fromEntries(webhooks) }),
    components: { ...document.components, securitySchemes: Object.fromEntries(schemes) },
  }
}

/** Returns the operations of the part by their path or name, without items that have none. */
function ofPart(items: object | undefined, { tags }: PartDescription): [string, Record<string, object>][] {
  const reduced = Object.entries(items ?? {}).map(([name, item]): [string, Record<string, object>] => {
    const operations = Object.entries(item as Record<string, object>).filter(([, operation]) => hasTag(operation, tags))
    return [name, Object.fromEntries(operations)]
  })
  return reduced.filter(([, item]) => Object.keys(item).length > 0)
}

function hasTag(operation: unknown, tags: readonly string[]): boolean {
  return ((operation as { tags?: string[] }).tags ?? []).some((tag) => tags.includes(tag))
}

/** Returns the names of the security schemes that an operation accepts. */
function schemesOf(operation: unknown): string[] {
  return ((operation as { security?: object[] }).security ?? []).flatMap((scheme) => Object.keys(scheme))
}

const ErrorField = {
  type: 'object',
  title: 'ErrorField',
  description: 'A field or parameter that is not valid.',
  required: ['path', 'message'],
  properties: {
    path: {
      type: 'string',
      description: 'Path in the body, or the name of the query parameter.',
      examples: ['points/3/latitude'],
    },
    message: { type: 'string', description: 'The rule that is broken.', examples: ['must be <= 90'] },
  },
} as const

const Problem = {
  type: 'object',
  title: 'Problem',
  description: 'An error, as RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: { type: 'string', description: 'Always `about:blank`.', examples: ['about:blank'] },
    title: { type: 'string', description: 'The reason phrase of the status.', examples: ['Not Found'] },
    status: { type: 'integer', description: 'The HTTP status.', examples: [404] },
    code: { type: 'string', description: 'The kind of error, for programs.', examples: ['NOT_FOUND'] },
    detail: { type: 'string', description: 'What went wrong, for people.', examples: ['Track not found.'] },
    request_id: {
      type: 'string',
      description: 'Finds the request in the server log.',
      examples: ['b3f0c0de-54a7-4a53-9a4e-8d1f0c9f2c11'],
    },
    errors: {
      type: 'array',
      description: 'The fields that are not valid, at most 20.',
      items: ErrorField,
    },
  },
} as const

/** Adds the schema that error responses refer to; `members` are further members that services add to problems. */
function withProblem(document: Document, members: Record<string, object>): Document {
  const schema = { ...Problem, properties: { ...Problem.properties, ...members } }
  const components = { ...document.components, schemas: { ...document.components?.schemas, Problem: schema } }
  return { ...document, components } as unknown as Document
}

/** Conventions of every operation of every service, as Markdown with a heading for each subject. */
const API_CONVENTIONS = `
## Authentication

Send the token as \`X-API-Key: <token>\` or \`Authorization: Bearer <token>\`. If a request has both headers,
\`X-API-Key\` counts. A missing, invalid or expired token gets 401.

Each operation needs one permission. A token without it gets 403, and \`detail\` names the permission.

The examples expect the token in \`TOKEN\`:

\`\`\`
export TOKEN=…
\`\`\`

## Bodies

Bodies are JSON in UTF-8 with \`Content-Type: application/json\`. A request body may be compressed with gzip or zstd and
the matching \`Content-Encoding\`. Responses are compressed according to \`Accept-Encoding\`.

Unknown fields are ignored. \`null\` for an optional field means that it is not given. Types are strict: \`"48.85"\` is
not a number. Text is stored exactly as sent, and lengths count characters (code points).

Times are RFC 3339 date-times; a time without an offset is UTC. Responses give times in UTC with milliseconds.

## Errors

An error is a \`Problem\` (RFC 9457, \`application/problem+json\`). Programs decide by \`status\` and
\`code\`; \`detail\` is for people. If fields are not valid, \`errors\` lists each with its path, such as
\`points/3/latitude\`.

## Rate limits

Requests are counted per token and client address over any one second. Every response carries \`RateLimit-Limit\`
(requests per second), \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until the full allowance is back).
Beyond the limit the response is 429 with \`Retry-After\` in seconds. If the operator has turned the limit off, these
headers are absent.

## Idempotency

Operations that create something accept an \`Idempotency-Key\` of 1 to 255 characters; use a new random key for each
thing you create. For 24 hours, the same key with the same body returns the first response again, with the header
\`Idempotency-Replayed: true\`. The same key with another body gets 422, and after what it
created was deleted, 410. Only successes are remembered, so you can retry a
failed request with its key.

## Request ids

Every response carries \`X-Request-Id\`, which finds the request in the server log. To choose the id, send the header with
8 to 100 letters, digits, \`_\`, \`.\`, \`:\` or \`-\`.

## Answers of others

Every response of the service carries \`Trackpress-Api: 1\`. Captive portals and proxies answer too, some of them 200 or 204
to every request. Before a client deletes, drops or holds back data because of a response, it makes sure that the header
is there. Without it, the request counts as lost.
`.trim()
