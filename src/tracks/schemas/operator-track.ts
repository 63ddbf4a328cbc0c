import Type, { type Static } from 'typebox'
import { EVENT_ID, moment, nullableMoment } from './fields.ts'
import { Track } from './track.ts'

export const EXPORT_FORMATS = ['gpx', 'geojson', 'csv'] as const
/** Why a point is not among those that the statistics are made of. */
export const LEFT_OUT_REASONS = ['same_time', 'inaccurate', 'spike'] as const

export const Provenance = Type.Object(
  {
    statistic: Type.String({ description: 'Name of the figure in `stats`.', examples: ['distance_meters'] }),
    source: Type.Enum(['computed', 'device'] as const, {
      description: '`device`: the figure came with the sync and is shown as given.',
      examples: ['computed'],
    }),
    rule: Type.String({ description: 'A fixed word for the rule, to be translated.', examples: ['travelled_legs'] }),
    explanation: Type.String({
      description: 'The rule in English.',
      examples: ['The sum of the legs that were travelled.'],
    }),
  },
  { title: 'Provenance', description: 'How one figure was made.' },
)
export type Provenance = Static<typeof Provenance>

export const OperatorTrack = Type.Object(
  {
    ...Track.properties,
    event: Type.Object(
      { id: Type.String({ examples: [EVENT_ID] }), name: Type.String({ examples: ['Trail 2026'] }) },
      { title: 'EventReference' },
    ),
    last_point_at: nullableMoment('Time of the latest point; null without points.'),
    pauses: Type.Array(
      Type.Object(
        { from: moment('When it began.'), to: nullableMoment('When it ended; null while it lasts.') },
        { title: 'Pause' },
      ),
    ),
    points_used: Type.Integer({ description: 'Points that the statistics are made of.', examples: [560] }),
    points_left_out: Type.Array(
      Type.Object(
        {
          reason: Type.Enum(LEFT_OUT_REASONS, { examples: ['inaccurate'] }),
          count: Type.Integer({ examples: [7] }),
        },
        { title: 'LeftOutCount' },
      ),
      { description: 'Points that do not enter the statistics, by reason; every reason is there, also with 0.' },
    ),
    provenance: Type.Array(Provenance),
  },
  { title: 'OperatorTrack', description: 'The track as the app reads it, and where its figures come from.' },
)
export type OperatorTrack = Static<typeof OperatorTrack>
export const ExportQuery = Type.Object({
  format: Type.Enum(EXPORT_FORMATS, { description: 'GPX 1.1, GeoJSON (RFC 7946) or CSV (RFC 4180).' }),
})
export type ExportQuery = Static<typeof ExportQuery>
