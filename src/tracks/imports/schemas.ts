import Type, { type Static } from 'typebox'
import { ACTIVITY_TYPES } from '../model/track-state.ts'

/** The body of an import. */
export const RecordingFile = Type.String({
  description:
    'A GPX, TCX, FIT, KML or GeoJSON file of up to 64 MiB; also packed by gzip. As `application/octet-stream`, its content tells the format.',
  format: 'binary',
})

export const ImportQuery = Type.Object({
  activity_type: Type.Optional(
    Type.Enum(ACTIVITY_TYPES, { description: 'For tracks whose sport the file does not name. Default `run`.' }),
  ),
  title: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Only for a file with one track. Default: that of the file, or one generated from the start time.',
    }),
  ),
  user_id: Type.Optional(Type.String({ maxLength: 255, description: 'Owner of the tracks; any text.' })),
  device_track_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only for a file with one track. Default: made from the content of the file and `user_id`.',
    }),
  ),
})
export type ImportQuery = Static<typeof ImportQuery>

const ImportedTrack = Type.Object(
  {
    track_id: Type.String({ format: 'uuid', examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
    device_track_id: Type.String({ examples: ['import-9f86d081884c7d659a2feaa0c55ad015-1'] }),
    title: Type.String({ description: 'Of the query, of the file, or generated.', examples: ['Around the lake'] }),
    activity_type: Type.Enum(ACTIVITY_TYPES, { examples: ['hike'] }),
    points_count: Type.Integer({ description: 'Stored points.', examples: [567] }),
    points_left_out: Type.Integer({
      description: 'Points of the file without a time or with an impossible position.',
      examples: [0],
    }),
  },
  { title: 'ImportedTrack' },
)
export type ImportedTrack = Static<typeof ImportedTrack>

export const TracksImported = Type.Object(
  {
    tracks: Type.Array(ImportedTrack, { description: 'In the order of the file.' }),
    tracks_left_out: Type.Integer({
      description: 'Tracks of the file without any point that has a time and a position.',
      examples: [0],
    }),
  },
  { title: 'TracksImported', description: 'The tracks were created, and all their points are on disk.' },
)
export type TracksImported = Static<typeof TracksImported>
