import Type, { type Static } from 'typebox'
import { nullableText } from '#platform/http/field-rules.ts'
import { GainInterval, LossInterval, moment, nullableInteger, nullableMoment } from '../model/schema-fields.ts'
import { category, status, statusDetails } from './runner-schemas.ts'
import { CHECKPOINT_ID, checkpointFields, nullableMeters, timeBasis } from './schemas.ts'

const seconds = (description: string, example: number) => Type.Number({ description, examples: [example] })
const nullableSeconds = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })

const bib = Type.String({ minLength: 1, maxLength: 20, description: "The runner's bib.", examples: ['117'] })
const checkpointId = Type.String({ format: 'uuid', examples: [CHECKPOINT_ID] })

export const TimesQuery = Type.Object({ bib })
export type TimesQuery = Static<typeof TimesQuery>

export const TimeUpdate = Type.Object(
  {
    bib,
    checkpoint_id: checkpointId,
    time: nullableText({
      format: 'date-time',
      description: 'When the runner passed; null removes the time that was entered by hand.',
      examples: ['2026-05-03T09:12:31+02:00'],
    }),
  },
  { title: 'TimeUpdate' },
)
export type TimeUpdate = Static<typeof TimeUpdate>

const NotedTime = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [CHECKPOINT_ID] }),
    checkpoint_id: checkpointId,
    source: Type.Enum(['manual', 'imported', 'rejected'] as const, {
      description: '`rejected`: an operator has decided against a doubtful time.',
      examples: ['manual'],
    }),
    time: nullableMoment('When the runner passed; null for a removal and a rejection.'),
    noted_by: Type.String({ description: 'Name of the operator.', examples: ['Marie'] }),
    noted_at: moment('When it was entered or imported.'),
  },
  { title: 'NotedTime' },
)

export const TimesNoted = Type.Object(
  { times: Type.Array(NotedTime, { description: 'The latest first.' }) },
  { title: 'TimesNoted' },
)
export type TimesNoted = Static<typeof TimesNoted>

export const Decision = Type.Object(
  {
    kind: Type.Enum(['near_stop', 'missed', 'two_passings', 'silent'] as const, {
      description:
        'A stop up to 150 m before the finish, or a turn up to 30 m before it; a checkpoint without a time before one that was passed; a checkpoint for which another passing fits the course better; a recording that ends on the last kilometre.',
      examples: ['near_stop'],
    }),
    bib: Type.String({ examples: ['117'] }),
    name: Type.String({ examples: ['Anna Martin'] }),
    track_id: Type.String({ examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'] }),
    checkpoint: Type.Object(
      { id: Type.String({ examples: [CHECKPOINT_ID] }), name: Type.String({ examples: ['Finish'] }) },
      { title: 'DecisionCheckpoint' },
    ),
    time: moment('The time that is proposed.'),
    is_estimated: Type.Boolean({
      description: 'True if the time follows from the pace, and not from a position at the checkpoint.',
      examples: [false],
    }),
    away_m: nullableMeters(
      'Distance from the finish, in metres: of a stop from the line, of a silence along the course.',
      62.5,
    ),
    counted_time: nullableMoment('The time that counts as long as nobody decides; null if none does.'),
    last_point_at: nullableMoment('Time of the latest point of the track.'),
    battery_percent: nullableInteger({
      description: 'Charge of a phone that fell silent, as it was known last; null if it is not known.',
      examples: [3],
    }),
    shown_from: moment('Beginning of the part of the track that shows what is doubtful.'),
    shown_until: moment('End of that part.'),
  },
  { title: 'Decision', description: 'A doubtful time of a runner, about which an operator decides.' },
)
export type Decision = Static<typeof Decision>

export const DecisionList = Type.Object(
  {
    as_of: moment('Time of the ranking that was judged.'),
    is_complete: Type.Boolean({ description: 'False while tracks are still being read.', examples: [true] }),
    decisions: Type.Array(Decision, { description: 'In the order of the ranking, at most 200.' }),
  },
  { title: 'DecisionList' },
)
export type DecisionList = Static<typeof DecisionList>

export const DecisionMade = Type.Object(
  {
    bib,
    checkpoint_id: checkpointId,
    time: nullableText({
      format: 'date-time',
      description: 'The time that counts from now on: the proposed one or another; null rejects the proposed one.',
      examples: ['2026-05-03T09:12:31+02:00'],
    }),
  },
  { title: 'DecisionMade' },
)
export type DecisionMade = Static<typeof DecisionMade>

export const TimesCsv = Type.String({
  description: 'CSV in UTF-8 with a header.',
  examples: ['bib,checkpoint,time\n117,Finish,4:12:31.5\n'],
})

export const TimesImported = Type.Object(
  {
    times: Type.Array(
      Type.Object({ bib, checkpoint_id: checkpointId, time: moment('When the runner passed.') }, { title: 'ReadTime' }),
      { description: 'As they were read.' },
    ),
  },
  { title: 'TimesImported' },
)
export type TimesImported = Static<typeof TimesImported>

const Passing = Type.Object(
  {
    checkpoint_id: Type.String({ format: 'uuid', examples: [CHECKPOINT_ID] }),
    time_ms: Type.Number({ description: 'Milliseconds since 1970.', examples: [1_777_795_512_400] }),
    elapsed_sec: nullableSeconds('Seconds since the start that counts for the ranking; null if it is unknown.', 5112.4),
    interval_sec: seconds('The time is certain to plus or minus so many seconds.', 2.1),
    source: Type.Enum(['crossing', 'stop', 'manual', 'imported'] as const, {
      description:
        'What the time is from: a crossing of the line or the edge of the circle, or a stop within 30 m of a start or finish line that was not crossed; `manual` and `imported` times count before both.',
      examples: ['crossing'],
    }),
    away_m: nullableMeters('Distance of a stop from the line, in metres; null for a crossing.', null),
    recorded_time_ms: nullableInteger({
      description: 'The time of the recording, also where another one counts; null without one.',
      examples: [1_777_795_512_400],
    }),
  },
  { title: 'Passing', description: 'A runner passes a checkpoint, between two recorded points.' },
)

export const RankingEntry = Type.Object(
  {
    track_id: nullableText({
      description: "The runner's track; null for one who has none.",
      examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'],
    }),
    bib: nullableText({ description: 'Null for a track that the start list does not have.', examples: ['117'] }),
    name: Type.String({ description: 'Name in the start list, else title of the track.', examples: ['Anna Martin'] }),
    category,
    rank: nullableInteger({
      description: 'Place among all; null for runners without one, as before the first checkpoint after the start.',
      examples: [3],
    }),
    category_rank: nullableInteger({ description: 'Place in the category.', examples: [1] }),
    state: Type.Enum(['not-started', 'running', 'finished'] as const, { examples: ['running'] }),
    status,
    ...statusDetails,
    last_checkpoint: Type.Unsafe<{ id: string; name: string } | null>({
      type: ['object', 'null'],
      title: 'RankingCheckpoint',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      required: ['id', 'name'],
      description: 'The checkpoint passed last; null before the first.',
      examples: [{ id: CHECKPOINT_ID, name: 'Col de la Forclaz' }],
    }),
    progress_m: Type.Number({ description: 'Metres along the course.', examples: [14_870] }),
    distance_to_go_m: Type.Number({ description: 'Metres along the course to its finish.', examples: [27_440] }),
    off_course_m: nullableMeters(
      'Distance from the course, in metres; null within 60 m of it and the accuracy of the position. The dashboard calls a runner off the course from 150 m on.',
      null,
    ),
    gap_sec: nullableSeconds(
      'Seconds behind the fastest so far at the checkpoint passed last; null for who has only started.',
      184.2,
    ),
    net_sec: nullableSeconds(
      'Seconds from crossing the start line to the finish, or to the checkpoint passed last.',
      5098.1,
    ),
    gun_sec: nullableSeconds('The same from the common start; null without one.', 5112.4),
    finish_sec: nullableSeconds('The time that counts, at the finish; null before it.', null),
    passings: Type.Array(Passing, { description: 'In the order of the course.' }),
  },
  { title: 'RankingEntry' },
)
export type RankingEntry = Static<typeof RankingEntry>

export const Ranking = Type.Object(
  {
    as_of: moment('Time up to which passings are known: for spectators, before the delay of the event.'),
    race_starts_at: nullableMoment('Common start; null if each starts on crossing the line.'),
    time_basis: timeBasis,
    length_m: nullableMeters('Length of the course; null without one.', 42_310.6),
    is_complete: Type.Boolean({
      description: 'False while tracks are still being read, as after a checkpoint was moved.',
      examples: [true],
    }),
    checkpoints: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: [CHECKPOINT_ID] }),
          name: Type.String({ examples: ['Col de la Forclaz'] }),
          kind: checkpointFields.kind,
          course_distance_m: Type.Number({ examples: [12_413.2] }),
        },
        { title: 'RankedCheckpoint' },
      ),
      { description: 'In the order of the course.' },
    ),
    entries: Type.Array(RankingEntry, { description: 'Finished, then running by checkpoint, then all others.' }),
  },
  { title: 'Ranking' },
)
export type Ranking = Static<typeof Ranking>

const ResultEntry = Type.Object(
  {
    ...RankingEntry.properties,
    elevation_gain_m: Type.Optional(
      Type.Number({
        description:
          'Climb of the track as last computed; absent without one, and for spectators who see everything later.',
        examples: [2480.4],
      }),
    ),
    elevation_gain_interval_m: Type.Optional(GainInterval),
    elevation_loss_m: Type.Optional(
      Type.Number({ description: 'Descent of the track, a positive number, with the climb.', examples: [2312.7] }),
    ),
    elevation_loss_interval_m: Type.Optional(LossInterval),
  },
  { title: 'ResultEntry' },
)
export type ResultEntry = Static<typeof ResultEntry>

export const Results = Type.Object(
  {
    event: Type.String({ description: 'Name of the event.', examples: ['Trail 2026'] }),
    ...Ranking.properties,
    entries: Type.Array(ResultEntry),
  },
  { title: 'Results', description: 'The ranking of an event, final once all have finished.' },
)
export type Results = Static<typeof Results>

/**
 * `event: ranking`: entries of the ranking that are new or have changed. With `read_again`, the whole ranking has to be
 * read: at first, after the course, a checkpoint or the common start has changed, and when a runner is gone.
 */
export type LiveRanking = { read_again: boolean; entries: RankingEntry[] }
