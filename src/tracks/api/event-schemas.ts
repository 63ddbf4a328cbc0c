import Type, { type Static } from 'typebox'
import { nullableText, ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import {
  DEFAULT_LOW_BATTERY_PERCENT,
  DEFAULT_NO_SIGNAL_AFTER_SEC,
  eventDatesProblems,
  timeZoneProblem,
} from '../model/event-rules.ts'
import { date, EVENT_ID, effectiveTimeZone, moment, nullableInteger, nullableMoment } from '../model/schema-fields.ts'
import { ShownAppToken } from './token-schemas.ts'

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the event.',
  examples: ['Trail 2026'],
})
const eventFields = {
  note: nullableText({ maxLength: 5000, description: 'Visible to operators only.', examples: ['Start at the lake'] }),
  starts_on: date('First day.'),
  ends_on: date('Last day, not before the first.'),
  max_tracks: nullableInteger({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Maximum number of tracks; null for no limit. Further tracks are refused with 403.',
    examples: [500],
  }),
  max_points: nullableInteger({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Number of stored points from which further points are refused with 403, within a few seconds; null for no limit.',
    examples: [10_000_000],
  }),
  time_zone: nullableText({
    maxLength: 64,
    ...ruledBy(timeZoneProblem),
    description:
      'IANA time zone of the event, for the times shown and for generated titles; null for `TITLE_TIME_ZONE`.',
    examples: ['Europe/Paris'],
  }),
  no_signal_after_sec: nullableInteger({
    minimum: 30,
    maximum: 86_400,
    description: `Silence after which a track in progress is shown without a signal; null for ${DEFAULT_NO_SIGNAL_AFTER_SEC}.`,
    examples: [600],
  }),
  low_battery_percent: nullableInteger({
    minimum: 0,
    maximum: 100,
    description: `Charge at or below which a battery is shown as low; null for ${DEFAULT_LOW_BATTERY_PERCENT}.`,
    examples: [20],
  }),
  spectator_delay_sec: nullableInteger({
    minimum: 0,
    maximum: 86_400,
    description: 'Time by which spectators see everything later than operators do; null for none.',
    examples: [900],
  }),
  retention_days: nullableInteger({
    minimum: 1,
    maximum: 36_500,
    description:
      'Days after which a track is erased, with its points and results, counted from its end, or from its arrival if that was later. Carried out hourly, within some minutes of a change; null keeps tracks until somebody deletes them.',
    examples: [90],
  }),
}

export const EventCreate = Type.Object(
  { name, ...Type.Partial(Type.Object(eventFields)).properties },
  { title: 'EventCreate', ...ruledTogether(eventDatesProblems) },
)
export type EventCreate = Static<typeof EventCreate>

/** Fields of an event that requests set. */
export const EVENT_FIELDS = ['name', ...Object.keys(eventFields)] as const

const accepted_erasures = Type.Integer({
  minimum: 0,
  description:
    'Number of tracks that a shorter `retention_days` may erase at once. If it would erase more, the answer is 409, and `tracks_count` says how many.',
  examples: [12],
})

export const EventUpdate = Type.Partial(Type.Object({ name, ...eventFields, accepted_erasures }), {
  title: 'EventUpdate',
  ...ruledTogether(eventDatesProblems),
  description: 'Absent fields stay unchanged; null removes a value.',
})
export type EventUpdate = Static<typeof EventUpdate>

export const OperatorEvent = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [EVENT_ID] }),
    name: Type.String({ examples: ['Trail 2026'] }),
    ...eventFields,
    effective_time_zone: effectiveTimeZone,
    rehearsal_of: nullableText({
      format: 'uuid',
      description: 'The event of which this one is a rehearsal with simulated phones; null for a real event.',
      examples: [null],
    }),
    created_at: moment('Time of creation.'),
    tracks_count: Type.Integer({ description: 'Number of tracks in any state.', examples: [212] }),
    running_tracks_count: Type.Integer({ description: 'Number of tracks in the state `running`.', examples: [40] }),
    points_count: Type.Integer({ description: 'Number of stored points of all tracks.', examples: [1_204_332] }),
    last_point_at: nullableMoment(
      'Time of the latest point of all tracks, those with times in the future left aside; null without points.',
    ),
  },
  { title: 'OperatorEvent' },
)
export type OperatorEvent = Static<typeof OperatorEvent>

export const OperatorEventList = Type.Object({ events: Type.Array(OperatorEvent) }, { title: 'OperatorEventList' })
export type OperatorEventList = Static<typeof OperatorEventList>

export const CreatedEvent = Type.Object(
  { ...OperatorEvent.properties, token: ShownAppToken },
  { title: 'EventCreated', description: 'The new event with its first token in plain text.' },
)
export type CreatedEvent = Static<typeof CreatedEvent>
