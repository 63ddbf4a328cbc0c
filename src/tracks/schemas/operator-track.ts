import Type, { type Static } from 'typebox'
import { ruledBy, ruledTogether } from '#platform/http/problems/field-rules.ts'
import { parseDateTime } from '#platform/time/date-time.ts'
import { ACTIVITY_TYPES } from '../domain/activity-type.ts'
import { shownPartProblems } from '../domain/shown-part.ts'
import { EVENT_ID, effectiveTimeZone, moment, nullableMoment, nullableText } from './fields.ts'
import { Statistics, Track } from './track.ts'

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
      {
        id: Type.String({ examples: [EVENT_ID] }),
        name: Type.String({ examples: ['Trail 2026'] }),
        effective_time_zone: effectiveTimeZone,
      },
      { title: 'EventReference' },
    ),
    first_point_at: nullableMoment('Time of the first point; null without points.'),
    last_point_at: nullableMoment('Time of the latest point; null without points.'),
    shown_from: nullableMoment('Start of the part that is shown and counted; null for that of the track.'),
    shown_until: nullableMoment('End of the part that is shown and counted; null for that of the track.'),
    pauses: Type.Array(
      Type.Object(
        { from: moment('Start of the pause.'), to: nullableMoment('End of the pause; null while it lasts.') },
        { title: 'Pause' },
      ),
    ),
    points_used: Type.Integer({
      description: 'Number of points of the shown part that statistics use.',
      examples: [560],
    }),
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
    altitudes_left_out: Type.Integer({
      description: 'Number of altitudes that leap away and back, of points that are used otherwise.',
      examples: [0],
    }),
    shown_stats: Type.Optional(Statistics),
    provenance: Type.Array(Provenance, { description: 'Of `shown_stats` if the track is trimmed.' }),
  },
  {
    title: 'OperatorTrack',
    description:
      'The track as the app gets it, with the provenance of its statistics. A trimmed track has `shown_stats`, those of the part that is shown.',
  },
)
export type OperatorTrack = Static<typeof OperatorTrack>

export const OperatorTrackUpdate = Type.Object(
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        ...ruledBy((text) => (text.trim() === '' ? 'must not be blank' : undefined)),
        examples: ['Around the lake'],
      }),
    ),
    activity_type: Type.Optional(
      Type.Enum(ACTIVITY_TYPES, { description: 'Statistics depend on it.', examples: ['bike'] }),
    ),
    user_id: Type.Optional(nullableText({ maxLength: 255, description: 'The person.', examples: ['user-42'] })),
    shown_from: Type.Optional(
      nullableMoment('Start of the part that is shown and counted, for spectators and in statistics.'),
    ),
    shown_until: Type.Optional(nullableMoment('End of that part, after `shown_from`.')),
  },
  {
    title: 'OperatorTrackUpdate',
    ...ruledTogether(({ shown_from, shown_until }) => shownPartProblems(timeOf(shown_from), timeOf(shown_until))),
  },
)
export type OperatorTrackUpdate = Static<typeof OperatorTrackUpdate>

function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDateTime(value)?.timeMs : undefined
}
