import Type, { type Static } from 'typebox'
import {
  GainInterval,
  moment,
  nullableInteger,
  nullableMoment,
  nullableNumbers,
  nullableText,
  numbers,
} from '../model/schema-fields.ts'

const CHECKPOINT_ID = 'a2f0b9d4-52c6-4f5e-8a37-6f1f0e7b2c11'
/** Most checkpoints of a course. */
const MAX_CHECKPOINTS = 50

const nullableMeters = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })
const seconds = (description: string, example: number) => Type.Number({ description, examples: [example] })
const nullableSeconds = (description: string, example: number | null) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })

const latitude = Type.Number({ minimum: -90, maximum: 90, examples: [45.89912] })
const longitude = Type.Number({ minimum: -180, maximum: 180, examples: [6.12904] })

const Place = Type.Object({ latitude, longitude }, { title: 'Place', description: 'Degrees in WGS 84.' })

const LineShape = Type.Object(
  { type: Type.Literal('line'), from: Place, to: Place },
  {
    title: 'CheckpointLine',
    description:
      'A line across the course. Runners are timed as they cross it in the direction of the course; at the start and the finish also as they stop within 30 m of it.',
  },
)
const CircleShape = Type.Object(
  {
    type: Type.Literal('circle'),
    latitude,
    longitude,
    radius_m: Type.Number({ minimum: 5, maximum: 2000, description: 'Radius in metres.', examples: [50] }),
  },
  {
    title: 'CheckpointCircle',
    description: 'A circle on the course. Runners are timed as they enter it, and at the start as they leave it.',
  },
)

const checkpointFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Col de la Forclaz'] }),
  kind: Type.Enum(['start', 'checkpoint', 'finish'] as const, {
    description: 'Only the first can be `start`, and only the last `finish`.',
    examples: ['checkpoint'],
  }),
  shape: Type.Union([LineShape, CircleShape], {
    description: 'Line or circle on the course.',
    examples: [{ type: 'circle', latitude: 45.89912, longitude: 6.12904, radius_m: 50 }],
  }),
}

export const CheckpointsUpdate = Type.Object(
  {
    checkpoints: Type.Array(
      Type.Object(
        {
          id: Type.Optional(
            Type.String({
              format: 'uuid',
              description: 'Id of a stored checkpoint, which is kept. Default: a new id.',
              examples: [CHECKPOINT_ID],
            }),
          ),
          ...checkpointFields,
          course_distance_m: Type.Optional(
            Type.Unsafe<number | null>({
              type: ['number', 'null'],
              minimum: 0,
              description:
                'About where along the course, in metres; for a course that passes here several times. Default: where it passes first after the checkpoint before, and last for the finish.',
              examples: [12_400],
            }),
          ),
        },
        { title: 'CheckpointUpdate' },
      ),
      { maxItems: MAX_CHECKPOINTS, description: 'All checkpoints, in the order of the course.' },
    ),
  },
  { title: 'CheckpointsUpdate' },
)
export type CheckpointsUpdate = Static<typeof CheckpointsUpdate>

export const Checkpoint = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [CHECKPOINT_ID] }),
    ...checkpointFields,
    course_distance_m: Type.Number({ description: 'Metres from the beginning of the course.', examples: [12_413.2] }),
  },
  { title: 'Checkpoint', description: 'A place of the course at which runners are timed.' },
)
export type Checkpoint = Static<typeof Checkpoint>

export const CheckpointList = Type.Object(
  { checkpoints: Type.Array(Checkpoint, { description: 'In the order of the course; empty without any.' }) },
  { title: 'CheckpointList' },
)
export type CheckpointList = Static<typeof CheckpointList>

export const CourseFile = Type.String({
  description: 'A GPX file of up to 20 MiB with one track or one route, without document type.',
  examples: ['<gpx version="1.1"><trk><trkseg><trkpt lat="45.899" lon="6.129"/>…'],
})

const CourseLine = Type.Object(
  {
    latitude: numbers('Degrees.', [45.89912, 45.90021]),
    longitude: numbers('Degrees.', [6.12904, 6.13011]),
    altitude: nullableNumbers('Metres; null where unknown.', [447, 452]),
    distance_m: numbers('Metres from the beginning, along the line as it was uploaded.', [0, 148.1]),
  },
  {
    title: 'CourseLine',
    description: 'Places along the course. Those that deviate by less than a metre are left out.',
  },
)

const CLIMB = 'Metres climbed, as the organiser states them, or else as estimated; null if neither is known.'

export const Course = Type.Object(
  {
    name: nullableText({ description: 'Name in the file; null without one.', examples: ['Tour du lac'] }),
    length_m: Type.Number({ description: 'Length in metres.', examples: [42_310.6] }),
    climb_m: nullableMeters(CLIMB, 2480),
    line: CourseLine,
  },
  { title: 'Course' },
)
export type Course = Static<typeof Course>

export const SharedCourse = Type.Object(
  {
    ...Course.properties,
    race_starts_at: nullableMoment('Common start; null if each starts on crossing the line.'),
    checkpoints: CheckpointList.properties.checkpoints,
  },
  { title: 'SharedCourse', description: 'The course with its checkpoints, as spectators see it.' },
)
export type SharedCourse = Static<typeof SharedCourse>

/** More than the longest race has: 24 hours uphill. */
const MAX_STATED_CLIMB_METERS = 100_000

export const RaceUpdate = Type.Object(
  {
    race_starts_at: Type.Optional(
      nullableText({
        format: 'date-time',
        description: 'Common start, from which times are counted; null if each starts on crossing the start line.',
        examples: ['2026-05-03T07:00:00+02:00'],
      }),
    ),
    stated_climb_m: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        minimum: 0,
        maximum: MAX_STATED_CLIMB_METERS,
        description: 'Metres climbed along the course as you state them; null for the estimated ones.',
        examples: [2480],
      }),
    ),
  },
  { title: 'RaceUpdate', minProperties: 1 },
)
export type RaceUpdate = Static<typeof RaceUpdate>

export const Race = Type.Object(
  {
    race_starts_at: nullableMoment('Common start; null if each starts on crossing the line.'),
    course_name: nullableText({ description: 'Name of the course; null without one.', examples: ['Tour du lac'] }),
    length_m: nullableMeters('Length of the course in metres; null without one.', 42_310.6),
    climb_m: nullableMeters(CLIMB, 2480),
    stated_climb_m: nullableMeters('Metres climbed as the organiser states them; null for none.', 2480),
    estimated_climb_m: nullableMeters(
      'Metres climbed as estimated from the heights of the course; null without a course or heights.',
      2463,
    ),
    checkpoints_count: Type.Integer({ examples: [6] }),
    runners_count: Type.Integer({ examples: [312] }),
  },
  { title: 'Race', description: 'What is set up for the race of an event.' },
)
export type Race = Static<typeof Race>

const status = Type.Unsafe<'dnf' | 'dns' | 'dsq' | 'over_limit' | null>({
  type: ['string', 'null'],
  enum: ['dnf', 'dns', 'dsq', 'over_limit', null],
  description: 'Did not finish, did not start, disqualified, over the time limit; null for none of them.',
  examples: [null],
})
const statusDetails = {
  status_at: nullableMoment('Time of the status, such as that of giving up; null if it is not known.'),
  status_place: nullableText({ description: 'Place of the status; null if it is not known.', examples: ['Menthon'] }),
}
const category = nullableText({ description: 'Category; null for none.', examples: ['F40'] })

const phone = nullableText({ description: 'Phone number; null if it is not known.', examples: ['+33 6 12 34 56 78'] })

export const Runner = Type.Object(
  {
    user_id: Type.String({ description: "The `user_id` of the runner's tracks.", examples: ['anna@example.org'] }),
    bib: Type.String({ examples: ['117'] }),
    name: Type.String({ examples: ['Anna Martin'] }),
    category,
    status,
    ...statusDetails,
  },
  { title: 'Runner', description: 'A runner of the start list.' },
)
export type Runner = Static<typeof Runner>

export const RunnerList = Type.Object(
  { runners: Type.Array(Runner, { description: 'In the order of the start list.' }) },
  { title: 'RunnerList' },
)
export type RunnerList = Static<typeof RunnerList>

export const RunnersUpdate = Type.Object(
  {
    runners: Type.Array(
      Type.Object(
        {
          user_id: Type.Optional(Type.String({ description: 'Default: the bib.', examples: ['anna@example.org'] })),
          bib: Type.String({ examples: ['117'] }),
          name: Type.String({ examples: ['Anna Martin'] }),
          category: Type.Optional(category),
          phone: Type.Optional(phone),
          status: Type.Optional(status),
        },
        { title: 'RunnerEntry' },
      ),
      { description: 'The whole start list. It replaces the one before.' },
    ),
  },
  { title: 'RunnersUpdate' },
)
export type RunnersUpdate = Static<typeof RunnersUpdate>

export const RunnersQuery = Type.Object({
  check: Type.Optional(
    Type.Enum(['true', 'false'] as const, {
      description: 'With `true`, nothing is stored: the answer is the start list as it was read. Default `false`.',
    }),
  ),
})
export type RunnersQuery = Static<typeof RunnersQuery>

export const Participant = Type.Object(
  {
    ...Runner.properties,
    phone,
    has_token: Type.Boolean({ description: 'True if the runner has a valid app token.', examples: [true] }),
    token_used_at: nullableMoment('Latest use of the token, to the minute; null while it is unused.'),
    track_id: nullableText({
      description: 'The latest track of the runner; null without one.',
      examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'],
    }),
    last_point_at: nullableMoment('Time of its last point.'),
    battery_percent: nullableInteger({
      description: 'Charge of the phone at its last points; null if it is not known.',
      examples: [82],
    }),
  },
  { title: 'Participant', description: 'A runner of the start list, and the state of the phone.' },
)

export const ParticipantList = Type.Object(
  { participants: Type.Array(Participant, { description: 'In the order of the start list.' }) },
  { title: 'ParticipantList' },
)
export type ParticipantList = Static<typeof ParticipantList>

export const RunnerCreate = Type.Object(
  {
    user_id: Type.Optional(Type.String({ description: 'Default: the bib.', examples: ['anna@example.org'] })),
    bib: Type.String({ examples: ['117'] }),
    name: Type.String({ examples: ['Anna Martin'] }),
    category: Type.Optional(category),
    phone: Type.Optional(phone),
  },
  { title: 'RunnerCreate' },
)
export type RunnerCreate = Static<typeof RunnerCreate>

export const RunnerRemoval = Type.Object(
  { user_id: Type.String({ description: "The runner's `user_id`.", examples: ['anna@example.org'] }) },
  { title: 'RunnerRemoval' },
)
export type RunnerRemoval = Static<typeof RunnerRemoval>

export const RunnerStatusUpdate = Type.Object({ status }, { title: 'RunnerStatusUpdate' })
export type RunnerStatusUpdate = Static<typeof RunnerStatusUpdate>

export const RunnerUpdate = Type.Object(
  {
    user_id: Type.String({ description: "The runner's `user_id`.", examples: ['anna@example.org'] }),
    bib: Type.Optional(Type.String({ examples: ['117'] })),
    name: Type.Optional(Type.String({ examples: ['Anna Martin'] })),
    category: Type.Optional(category),
    phone: Type.Optional(phone),
    status: Type.Optional(status),
    status_at: Type.Optional(
      nullableText({
        format: 'date-time',
        description: 'Time of the status. Default: none.',
        examples: ['2026-05-03T12:40:00+02:00'],
      }),
    ),
    status_place: Type.Optional(
      nullableText({ maxLength: 100, description: 'Place of the status. Default: none.', examples: ['Menthon'] }),
    ),
  },
  { title: 'RunnerUpdate' },
)
export type RunnerUpdate = Static<typeof RunnerUpdate>

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
        'A stop up to 150 m before the finish; a checkpoint without a time before one that was passed; a checkpoint for which another passing fits the course better; a recording that ends on the last kilometre.',
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

export const Passing = Type.Object(
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
export type Passing = Static<typeof Passing>

export const RankingEntry = Type.Object(
  {
    track_id: nullableText({
      description: "The runner's track; null for one who has none.",
      examples: ['0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'],
    }),
    bib: nullableText({ description: 'Null for a track that the start list does not have.', examples: ['117'] }),
    name: Type.String({ description: 'Name in the start list, else title of the track.', examples: ['Anna Martin'] }),
    category,
    rank: nullableInteger({ description: 'Place among all; null for runners without one.', examples: [3] }),
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
    off_course_m: nullableMeters('Distance from the course, in metres; null on the course.', null),
    gap_sec: nullableSeconds('Seconds behind the fastest so far at the checkpoint passed last.', 184.2),
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

export const ResultsQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['json', 'csv'] as const, { description: 'Default: what `Accept` prefers, else JSON.' }),
  ),
})
export type ResultsQuery = Static<typeof ResultsQuery>

/**
 * `event: ranking`: entries of the ranking that are new or have changed. With `read_again`, the whole ranking has to be
 * read: at first, after the course, a checkpoint or the common start has changed, and when a runner is gone.
 */
export type LiveRanking = { read_again: boolean; entries: RankingEntry[] }
