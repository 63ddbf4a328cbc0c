import Type, { type Static, type TSchema } from 'typebox'
import { type Nullable, nullable, ruledBy } from '../http/field-rules.ts'
import { MAX_URL_LENGTH } from './address-policy.ts'

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Longest time for which a former secret is kept: a deployment of every receiver, with holidays in between. */
const MAX_KEEP_MS = 30 * 86_400_000

/** Returns the problem with a time such as `24h`; undefined for a valid one. */
function keepProblem(text: string): string | undefined {
  const keepMs = readKeep(text)
  return keepMs !== undefined && keepMs <= MAX_KEEP_MS
    ? undefined
    : 'must be a length of time such as 90s, 15m, 24h or 7d, at most 30d'
}

/** Converts a time that has no `keepProblem` to milliseconds. Nothing given is 0. */
export function keepMilliseconds(text: string | null | undefined): number {
  return (text == null ? undefined : readKeep(text)) ?? 0
}

function readKeep(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNIT_MS[unit]
}

const WEBHOOK_ID = 'e3a8f5d2-1c47-4b0e-9d6f-7a2b8c9d0e1f'
const DELIVERY_ID = '4c1d9a70-52b3-4e8f-a6c5-0d9e8f7a6b5c'
const URL_EXAMPLE = 'https://example.org/trackpress'

const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T06:15:00.000Z'] })
const nullableMoment = (description: string, example: string | null = null) =>
  nullable<string>('string', { format: 'date-time', description, examples: [example] })

/** The differences between services, checked by their settings. */
type SchemaOptions = {
  /** Types of messages that endpoints can choose from. */
  types: readonly string[]
  /** Begins the titles, which are unique in the API description. */
  titlePrefix: string
  urlProblem: (url: string) => string | undefined
}

/** Makes the schemas of a service's webhooks. */
export function webhookSchemas({ types, titlePrefix, urlProblem }: SchemaOptions) {
  const title = (name: string) => ({ title: `${titlePrefix}${name}` })
  const type = Type.Unsafe<string>({ type: 'string', enum: [...types], examples: [types[0]] })
  const url = { maxLength: MAX_URL_LENGTH, ...ruledBy(urlProblem), examples: [URL_EXAMPLE] }
  const fields = {
    id: Type.String({ format: 'uuid', examples: [WEBHOOK_ID] }),
    url: Type.String({ description: 'Address that messages are sent to.', examples: [URL_EXAMPLE] }),
    types: Type.Unsafe<Nullable<string[]>>({
      type: ['array', 'null'],
      items: type,
      description: 'Types of messages it gets; null for all.',
      examples: [[types[0]]],
    }),
    enabled: Type.Boolean({ description: 'No messages are sent while it is false.', examples: [true] }),
    disabled_at: nullableMoment('Time since which it is disabled; null while it is enabled.'),
    disabled_reason: Type.Unsafe<Nullable<'gone'>>({
      type: ['string', 'null'],
      enum: ['gone', null],
      description: '`gone` if it was disabled because it answered 410.',
      examples: [null],
    }),
    former_secret_ends_at: nullableMoment('Time until which messages are signed with the former secret as well.'),
    created_at: moment('Time of creation.'),
    updated_at: moment('Time of the last change.'),
  }
  const secret = Type.String({
    description:
      'Secret that messages are signed with. It is shown only now, and again to a repetition with the same `Idempotency-Key`.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  })
  const choice = {
    types: Type.Optional(
      Type.Unsafe<Nullable<string[]>>({
        type: ['array', 'null'],
        items: type,
        minItems: 1,
        uniqueItems: true,
        description: 'Types of messages to send; null for all.',
        examples: [[types[0]]],
      }),
    ),
    enabled: Type.Optional(nullable<boolean>('boolean', { description: '`false` sends nothing.', examples: [true] })),
  }
  const Webhook = Type.Object(fields, title('Webhook'))
  return {
    Webhook,
    WebhookList: Type.Object({ webhooks: Type.Array(Webhook) }, title('WebhookList')),
    WebhookWithSecret: Type.Object({ ...fields, secret }, title('WebhookWithSecret')),
    WebhookCreate: Type.Object(
      { url: Type.String({ ...url, description: 'An https URL with a public address.' }), ...choice },
      title('WebhookCreate'),
    ),
    WebhookUpdate: Type.Object(
      { url: Type.Optional(nullable<string>('string', { ...url, description: 'New address.' })), ...choice },
      title('WebhookUpdate'),
    ),
  }
}

export type WebhookSchemas = ReturnType<typeof webhookSchemas>
export type Webhook = Static<WebhookSchemas['Webhook']>
export type WebhookList = Static<WebhookSchemas['WebhookList']>
export type WebhookWithSecret = Static<WebhookSchemas['WebhookWithSecret']>
export type WebhookCreate = Static<WebhookSchemas['WebhookCreate']>
export type WebhookUpdate = Static<WebhookSchemas['WebhookUpdate']>

export const WebhookSecretExchange = Type.Object(
  {
    keep: Type.Optional(
      nullable<string>('string', {
        ...ruledBy(keepProblem),
        description:
          'Time for which messages are signed with the former secret as well, such as `90s`, `15m`, `24h` or `7d`. Default: none.',
        examples: ['24h'],
      }),
    ),
  },
  { title: 'WebhookSecretExchange' },
)
export type WebhookSecretExchange = Static<typeof WebhookSecretExchange>

export const WebhookDelivery = Type.Object(
  {
    id: Type.String({
      description: 'Id of the message, as in its header `webhook-id`. All attempts and redeliveries have the same.',
      examples: [DELIVERY_ID],
    }),
    type: Type.String({ examples: ['webhook.test'] }),
    timestamp: moment('Time of the change.'),
    status: Type.Enum(['pending', 'delivered', 'failed'] as const, {
      description: '`pending` while further attempts are made; `failed` after the last.',
      examples: ['delivered'],
    }),
    attempts: Type.Integer({ description: 'Number of attempts since it was due, or redelivered.', examples: [1] }),
    next_attempt_at: nullableMoment('Time of the next attempt; null if none is planned, or one is in progress.'),
    last_attempt_at: nullableMoment('Time of the last attempt.', '2026-05-03T06:15:00.000Z'),
    duration_ms: nullable<number>('integer', {
      description: 'Duration of the last attempt, in milliseconds.',
      examples: [84],
    }),
    response_status: nullable<number>('integer', {
      description: 'HTTP status of the last answer; null without one.',
      examples: [204],
    }),
    response_body: nullable<string>('string', {
      description:
        'Beginning of the last answer, at most 4 KiB; null without one, and removed with what the message is about.',
      examples: [''],
    }),
    error: nullable<string>('string', {
      description: 'Reason why the last attempt got no answer; null if it got one.',
      examples: [null],
    }),
  },
  { title: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryList = Type.Object(
  {
    deliveries: Type.Array(WebhookDelivery, { description: 'Newest first.' }),
    next_cursor: nullable<string>('string', {
      description: 'Cursor of the next page; null on the last.',
      examples: [null],
    }),
  },
  { title: 'WebhookDeliveryList' },
)
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>

export const WebhookDeliveriesQuery = Type.Object({
  status: Type.Optional(
    Type.Enum(['pending', 'delivered', 'failed'] as const, { description: 'Only deliveries with this status.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Length of a page.' })),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
})

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
