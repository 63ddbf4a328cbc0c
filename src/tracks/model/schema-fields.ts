import Type from 'typebox'
import { type Nullable, nullable, nullableText, ruledBy } from '#platform/http/field-rules.ts'
import { calendarDateProblem } from './event-rules.ts'

// This folder has the schemas of all requests and answers, one file per area. The dashboard takes its types from here.
// This file has the kinds of fields that the schemas share.

export const EVENT_ID = '5d0c7a5e-9a53-4c1c-8d70-0c7f2f0a9b11'
export const TRACK_ID = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'

const nullableNumber = (options: object = {}) => nullable<number>('number', options)
export const nullableInteger = (options: object = {}) => nullable<number>('integer', options)
export const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-03T06:15:00.000Z'] })
export const nullableMoment = (description: string) =>
  nullableText({ format: 'date-time', description, examples: ['2026-05-03T06:15:00.000Z'] })
export const numbers = (description: string, examples: number[]) =>
  Type.Array(Type.Number(), { description, examples: [examples] })
export const nullableNumbers = (description: string, examples: Nullable<number>[]) =>
  Type.Array(nullableNumber(), { description, examples: [examples] })

/** The name of a track, as every page shows it. */
export const trackNameField = Type.String({
  description: "Bib and name of the track's runner on the start list, else its title.",
  examples: ['117 · Anna Martin'],
})

/** The zone in which the times of an event are shown. */
export const effectiveTimeZone = Type.String({
  description: 'IANA time zone in which times are shown: that of the event, or `TITLE_TIME_ZONE`.',
  examples: ['Europe/Paris'],
})
const eventId = Type.String({ description: "The event's `id`.", examples: [EVENT_ID] })
const trackId = Type.String({ description: "The track's `id`.", examples: [TRACK_ID] })

export const date = (description: string) =>
  nullableText({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    ...ruledBy(calendarDateProblem),
    description: `${description} A calendar date such as \`2026-05-03\`; null if not set.`,
    examples: ['2026-05-03'],
  })

export const EventParams = Type.Object({ id: eventId })
export const RunnerParams = Type.Object({
  id: eventId,
  userId: Type.String({ description: "The runner's `user_id`." }),
})
export const EventTokenParams = Type.Object({
  id: eventId,
  tokenId: Type.String({ description: "The token's `id`." }),
})
export const ShareParams = Type.Object({ id: Type.String({ description: "The share's `id`." }) })
export const SharedParams = Type.Object({ token: Type.String({ description: 'Token at the end of the share link.' }) })
export const SharedTrackParams = Type.Object({ ...SharedParams.properties, id: trackId })

/** An interval of a figure. */
const interval = (of: string, example: [number, number]) =>
  Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    description: `Lowest and highest value of ${of} with a probability of 95 %; absent unless it was estimated.`,
    examples: [example],
  })
export const GainInterval = interval('the elevation gain', [33.1, 47.9])
export const LossInterval = interval('the elevation loss', [31, 45.5])
