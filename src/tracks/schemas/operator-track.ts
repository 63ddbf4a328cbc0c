import Type, { type Static } from 'typebox'
import { EVENT_ID, moment, nullableMoment } from './fields.ts'
import { Track } from './track.ts'

const EXPORT_FORMATS = ['gpx', 'geojson', 'csv'] as const
/** Reasons why statistics leave a point out. */
export const LEFT_OUT_REASONS = ['same_time', 'inaccurate', 'spike'] as const

export const Provenance = Type.Object(
  {
    statistic: Type.String({ description: 'Name of the statistic in `stats`.', examples: ['distance_meters'] }),
    source: Type.Enum(['computed', 'device'] as const, {
      description: '`device`: came with the sync and is shown as sent.',
      examples: ['computed'],
    }),
    rule: Type.String({ description: 'Fixed name of the rule, for translation.', examples: ['travelled_legs'] }),
    explanation: Type.String({
      description: 'Explanation in English.',
      examples: ['The sum of the legs that were travelled.'],
    }),
  },
  { title: 'Provenance', description: 'Origin of a statistic.' },
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
        { from: moment('Start of the pause.'), to: nullableMoment('End of the pause; null while it lasts.') },
        { title: 'Pause' },
      ),
    ),
    points_used: Type.Integer({ description: 'Number of points that statistics use.', examples: [560] }),
    points_left_out: Type.Array(
      Type.Object(
        {
          reason: Type.Enum(LEFT_OUT_REASONS, { examples: ['inaccurate'] }),
          count: Type.Integer({ examples: [7] }),
        },
        { title: 'LeftOutCount' },
      ),
      { description: 'Number of points that statistics leave out, for every reason, also 0.' },
    ),
    provenance: Type.Array(Provenance),
  },
  { title: 'OperatorTrack', description: 'The track as the app gets it, with the provenance of its statistics.' },
)
export type OperatorTrack = Static<typeof OperatorTrack>
export const ExportQuery = Type.Object({
  format: Type.Enum(EXPORT_FORMATS, { description: 'GPX 1.1, GeoJSON (RFC 7946) or CSV (RFC 4180).' }),
})
export type ExportQuery = Static<typeof ExportQuery>
