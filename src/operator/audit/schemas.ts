import Type, { type Static } from 'typebox'
import { nullable, nullableText, orNull } from '#platform/http/field-rules.ts'
import { AUDIT_OUTCOMES } from './audit-entry.ts'

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const MOMENT = '2026-05-03T06:15:00.000Z'

export const DEFAULT_AUDIT_RECORDS_PER_PAGE = 50
const MAX_AUDIT_RECORDS_PER_PAGE = 500

const SOURCES = ['dashboard', 'admin', 'api', 'server'] as const
const OUTCOMES = [...AUDIT_OUTCOMES, 'unknown'] as const

const text = (description: string, example: string) => nullableText({ description, examples: [example] })

const Actor = Type.Object(
  { id: text('Null for a user of the system.', ID), name: text('The name at the time.', 'Camille') },
  { title: 'AuditActor', description: 'An operator, or the user of the system who ran a command.' },
)
const Subject = Type.Object(
  {
    kind: Type.String({ description: 'The kind of thing, in the words of the addresses.', examples: ['event'] }),
    id: text('Null if the thing had none yet, or none was given.', ID),
    name: text('The name at the time.', 'Trail 2026'),
  },
  { title: 'AuditSubject', description: 'A thing that something was done to.' },
)
const Result = Type.Object(
  { id: Type.String({ examples: [ID] }), name: text('Its name, if it has one.', 'Trail 2026') },
  { title: 'AuditResult', description: 'The thing that was created.' },
)

const RECORD = {
  position: 42,
  time: MOMENT,
  source: 'dashboard',
  action: 'operatorDeleteEvent',
  actor: { id: ID, name: 'Camille' },
  subject: { kind: 'event', id: ID, name: 'Trail 2026' },
  within: null,
  outcome: 'succeeded',
  status: 204,
  ended_at: MOMENT,
  result: null,
  count: 1,
  address: '192.0.2.7',
  session_id: ID,
  browser: 'Mozilla/5.0',
  request_id: ID,
  details: {},
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

export const AuditRecord = Type.Object(
  {
    position: Type.Integer({ description: 'Place in the log. Outcomes have places of their own.', examples: [42] }),
    time: Type.String({ format: 'date-time', examples: [MOMENT] }),
    source: Type.Enum(SOURCES, {
      description:
        '`dashboard`: a request. `admin`: an admin command. `api`: refused tokens. `server`: the server itself.',
    }),
    action: Type.String({
      description: 'The `operationId` of the request, or the words of the command.',
      examples: ['operatorDeleteEvent'],
    }),
    actor: orNull(Actor),
    subject: orNull(Subject),
    within: orNull(Subject),
    outcome: Type.Enum(OUTCOMES, {
      description: '`unknown` while it is under way, and for ever if the server was stopped before it ended.',
    }),
    status: nullable<number>('integer', { description: 'HTTP status.', examples: [204] }),
    ended_at: nullableText({ format: 'date-time', examples: [MOMENT] }),
    result: orNull(Result),
    count: Type.Integer({ description: 'More than 1 for refusals of one minute.', examples: [1] }),
    address: text('Address of the client.', '192.0.2.7'),
    session_id: text('Session of the operator.', ID),
    browser: text('`User-Agent` of the browser.', 'Mozilla/5.0'),
    request_id: text('`X-Request-Id` of the response.', ID),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Further facts, such as the names of the fields that were sent.',
      examples: [{ fields: ['name'] }],
    }),
    hash: Type.String({ description: 'SHA-256 of the record and of the hash before it.', examples: ['9f86d081'] }),
  },
  { title: 'AuditRecord', description: 'Something that somebody did, or tried to do.', examples: [RECORD] },
)
export type AuditRecord = Static<typeof AuditRecord>

export const AuditRecordList = Type.Object(
  {
    records: Type.Array(AuditRecord),
    next_cursor: text('Cursor of the next page; null on the last one.', 'WyJhdWRpdCJd'),
  },
  { title: 'AuditRecordList', description: 'A page of the audit log, the newest first.' },
)
export type AuditRecordList = Static<typeof AuditRecordList>

const MAX_WORD_LENGTH = 100
const word = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: MAX_WORD_LENGTH, description, examples: [example] }))

const filters = {
  operator: word('Id of the operator who did it.', ID),
  subject: word('Id of the thing, of what it belongs to, or of what was created.', ID),
  action: word('The `operationId`, or the words of the command.', 'operatorDeleteEvent'),
  source: Type.Optional(Type.Enum(SOURCES, { description: 'Part of the program through which it was done.' })),
  outcome: Type.Optional(Type.Enum(OUTCOMES, { description: 'Only records that ended so.' })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Records of this time or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Records before this time.' })),
}

export const AuditQuery = Type.Object({
  ...filters,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_AUDIT_RECORDS_PER_PAGE,
      description: `Default ${DEFAULT_AUDIT_RECORDS_PER_PAGE}.`,
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: 'The `next_cursor` of the previous page.' })),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditExportQuery = Type.Object({
  ...filters,
  format: Type.Enum(['csv', 'jsonl'] as const, { description: '`jsonl` has one JSON object a line.' }),
})
export type AuditExportQuery = Static<typeof AuditExportQuery>
