import Type, { type Static } from 'typebox'
import { nullableText } from '#platform/http/field-rules.ts'
import { MAX_USER_ID_LENGTH } from '../model/event-rules.ts'
import { EVENT_ID, moment, nullableMoment } from '../model/schema-fields.ts'

const ERASURE_ID = '7c1b9f0e-2a4d-4e8b-9c36-5d1f0a7b3e92'

const userId = Type.String({
  minLength: 1,
  maxLength: MAX_USER_ID_LENGTH,
  description: 'The `user_id` of the person, exactly as their tracks, tokens or start-list entries have it.',
  examples: ['anna@example.org'],
})

/** The places that an erasure cannot reach. */
const REMAINING_PLACES = [
  'backups',
  'upgrade_copies',
  'database_log',
  'audit_log',
  'proxy_logs',
  'webhook_receivers',
  'downloads',
] as const
export type RemainingPlace = (typeof REMAINING_PLACES)[number]

export const ErasureRequest = Type.Object(
  {
    user_id: userId,
    event_id: Type.Optional(nullableText({ description: 'One event. Default: all events.', examples: [EVENT_ID] })),
  },
  { title: 'ErasureRequest' },
)
export type ErasureRequest = Static<typeof ErasureRequest>

export const ErasureVerification = Type.Object({ user_id: userId }, { title: 'ErasureVerification' })
export type ErasureVerification = Static<typeof ErasureVerification>

const counts = {
  tracks: Type.Integer({ description: 'Number of tracks.', examples: [3] }),
  points: Type.Integer({ description: 'Number of points of these tracks.', examples: [10_412] }),
  from: nullableMoment('Start of the earliest track; null without tracks.'),
  until: nullableMoment('Last point or end of the latest track; null without tracks.'),
  event_ids: Type.Array(Type.String(), { description: 'The events with anything of it.', examples: [[EVENT_ID]] }),
  tables: Type.Array(
    Type.Object(
      {
        table: Type.String({ description: 'Name of a table of the database.', examples: ['tracks'] }),
        rows: Type.Integer({ description: 'Number of rows.', examples: [3] }),
      },
      { title: 'ErasedTable' },
    ),
    { description: 'Rows by table. Tables without any are absent.' },
  ),
}

export const ErasurePreview = Type.Object(
  {
    ...counts,
    events: Type.Array(
      Type.Object(
        {
          event_id: Type.String({ examples: [EVENT_ID] }),
          event_name: Type.String({ examples: ['Trail 2026'] }),
          name: nullableText({
            description:
              'Bib and name on the start list of this event, else the label of a token; null without either.',
            examples: ['117 · Anna Martin'],
          }),
          tracks: Type.Integer({ description: 'Number of tracks in this event.', examples: [1] }),
        },
        { title: 'ErasurePlace' },
      ),
      { description: 'The events with anything of it, and whose name the `user_id` has there.' },
    ),
  },
  { title: 'ErasurePreview', description: 'The data of a person, which an erasure would remove.' },
)
export type ErasurePreview = Static<typeof ErasurePreview>

export const ErasureReceipt = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [ERASURE_ID] }),
    kind: Type.Enum(['person', 'retention'] as const, {
      description:
        '`person`: the data of one person, as an operator requested. `retention`: tracks that an event has kept for as long as it may, of one day.',
      examples: ['person'],
    }),
    event_id: nullableText({ description: 'The one event; null for all events.', examples: [EVENT_ID] }),
    person: nullableText({
      description:
        'HMAC-SHA-256 of the `user_id`, in hexadecimal, with a key of this receipt. `POST /operator/erasures/{id}/verify` tells whose it is. Null for a retention.',
      examples: ['4f0c6d7c3c7f4a0f8f1d1b7b1f0b6a54e0a1c9a1d7e25e8c1f6d1b2a3c4d5e6f'],
    }),
    requested_by: nullableText({
      description:
        'Id of the operator; `participant` for the person, on the page of their code; null for the admin command, and for a retention.',
      examples: ['2f6a9c1e-0b7d-4a35-8e21-9d4c5b6a7f80'],
    }),
    started_at: moment(
      'Start of the erasure; three days after a request of the person themselves, who can take it back until then.',
    ),
    finished_at: nullableMoment('End of the erasure; null while it is in progress. An interrupted one is continued.'),
    erased: Type.Object(counts, { title: 'ErasedData', description: 'The data that was erased so far.' }),
    remains: Type.Array(
      Type.Object(
        {
          place: Type.Enum(REMAINING_PLACES, { examples: ['backups'] }),
          note: Type.String({ examples: ['Backups from before the erasure have the data until they are deleted.'] }),
        },
        { title: 'RemainingPlace' },
      ),
      { description: 'Places that an erasure cannot reach, where copies may be left.' },
    ),
  },
  { title: 'ErasureReceipt', description: 'The receipt of an erasure, which does not contain the `user_id`.' },
)
export type ErasureReceipt = Static<typeof ErasureReceipt>

export const ErasureReceiptList = Type.Object(
  { erasures: Type.Array(ErasureReceipt), next_cursor: nullableText({ examples: [null] }) },
  { title: 'ErasureReceiptList', description: 'Newest first.' },
)
export type ErasureReceiptList = Static<typeof ErasureReceiptList>

export const ErasureReceiptsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Receipts on a page. Default: 50.', examples: [50] }),
  ),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
})

export const ErasureParams = Type.Object({
  id: Type.String({ description: "The receipt's `id`.", examples: [ERASURE_ID] }),
})

export const ErasureMatch = Type.Object(
  {
    matches: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'True if the receipt is of this person; null if its key can no longer be read, after a lost secret.',
      examples: [true],
    }),
  },
  { title: 'ErasureMatch' },
)
export type ErasureMatch = Static<typeof ErasureMatch>
