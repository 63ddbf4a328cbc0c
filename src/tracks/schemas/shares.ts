import Type, { type Static } from 'typebox'
import { date, moment, nullableMoment, nullableText } from './fields.ts'
import { SharedTrack, TrackSummariesQuery } from './track-summaries.ts'

export const NewShare = Type.Object(
  {
    track_id: Type.Optional(nullableText({ description: 'One track of the event; all of them by default.' })),
    label: Type.Optional(nullableText({ maxLength: 200, description: 'For whom it is.' })),
    expires_at: Type.Optional(nullableText({ format: 'date-time', description: 'When it ends; null for never.' })),
  },
  { title: 'ShareCreate' },
)
export type NewShare = Static<typeof NewShare>

export const Share = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: ['9b2f5c1e-3d7a-4e0b-8c6d-1f2a3b4c5d6e'] }),
    track_id: nullableText({ description: 'Null where it shows the whole event.', examples: [null] }),
    track_title: nullableText({
      description: 'Of that track; null where it is gone or the whole event is shown.',
      examples: [null],
    }),
    label: nullableText({ description: 'For whom it is; null when none.', examples: ['Families'] }),
    url: nullableText({
      description: 'The address for spectators; null where it was made under another secret.',
      examples: ['https://tracks.example.org/s/shr_Zm9vYmFy'],
    }),
    created_at: moment('When it was made.'),
    expires_at: nullableMoment('When it ends; null for never.'),
    revoked_at: nullableMoment('When it was ended; null while it was not.'),
  },
  { title: 'Share' },
)
export type Share = Static<typeof Share>

export const ShareList = Type.Object({ shares: Type.Array(Share) }, { title: 'ShareList' })
export type ShareList = Static<typeof ShareList>

export const SharedView = Type.Object(
  {
    kind: Type.Enum(['event', 'track'] as const, { examples: ['event'] }),
    title: Type.String({ description: 'Name of the event, or title of the track.', examples: ['Trail 2026'] }),
    event: Type.Object(
      {
        name: Type.String({ examples: ['Trail 2026'] }),
        starts_on: date('First day.'),
        ends_on: date('Last day.'),
      },
      { title: 'SharedEvent' },
    ),
    track_id: nullableText({ description: 'The track that is shown; null for the whole event.', examples: [null] }),
    expires_at: nullableMoment('When the address ends; null for never.'),
  },
  { title: 'SharedView', description: 'What a shared address shows.' },
)
export type SharedView = Static<typeof SharedView>

export const SharedTrackList = Type.Object(
  { tracks: Type.Array(SharedTrack), next_cursor: nullableText({ examples: [null] }) },
  { title: 'SharedTrackList', description: 'Newest first by start.' },
)
export type SharedTrackList = Static<typeof SharedTrackList>

export const SharedTracksQuery = Type.Object({
  limit: TrackSummariesQuery.properties.limit,
  cursor: TrackSummariesQuery.properties.cursor,
})
export type SharedTracksQuery = Static<typeof SharedTracksQuery>
