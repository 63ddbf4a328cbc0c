import type { TSchema } from 'typebox'

/** A message: when it is sent, the schema of its `data`, and its type, unless that is its name. */
type MessageDescription = { summary: string; data: TSchema; type?: string }

const HEADERS = [
  header(
    'webhook-id',
    'Id of the message. A message that arrives again has the same.',
    '4c1d9a70-52b3-4e8f-a6c5-0d9e8f7a6b5c',
  ),
  header('webhook-timestamp', 'Time of the attempt, in seconds since 1970.', '1777788900'),
  header(
    'webhook-signature',
    'Signatures over id, time and body, separated by spaces: two while a former secret is valid.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/**
 * Describes the requests that a service sends to webhooks, as path items of the section `webhooks` of OpenAPI 3.1.
 * @param tag the section of the API that the messages belong to
 * @param messages by a name that is unique in the API description
 */
export function describeMessages(tag: string, messages: Record<string, MessageDescription>): Record<string, object> {
  const items = Object.entries(messages).map(([name, message]) => [name, { post: requestOf(tag, name, message) }])
  return Object.fromEntries(items)
}

function requestOf(tag: string, name: string, { summary, data, type = name }: MessageDescription) {
  const title = name.replace(/(^|\.)./g, (start) => start.at(-1)!.toUpperCase())
  return {
    operationId: `receive${title}`,
    tags: [tag],
    summary,
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: messageSchema(title, type, data) } } },
    responses: {
      '2XX': { description: 'Accepts the message.' },
      410: { description: 'Disables the webhook.' },
      default: { description: 'The message is sent again later, as it is if no answer comes within 15 seconds.' },
    },
  }
}

function messageSchema(title: string, type: string, data: TSchema) {
  return {
    type: 'object',
    title: `${title}Message`,
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type, examples: [type] },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'Time of the change.',
        examples: ['2026-05-03T06:15:00.000Z'],
      },
      data,
    },
  }
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}
