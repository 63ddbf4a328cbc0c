import type { Document } from './open-api-types.ts'

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
export function withProblem(document: Document, members: Record<string, object>): Document {
  const schema = { ...Problem, properties: { ...Problem.properties, ...members } }
  const components = { ...document.components, schemas: { ...document.components?.schemas, Problem: schema } }
  return { ...document, components } as unknown as Document
}
