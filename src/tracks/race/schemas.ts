import Type, { type Static } from 'typebox'
import { nullableText } from '#platform/http/field-rules.ts'
import { nullableMoment, nullableNumbers, numbers } from '../model/schema-fields.ts'

export const CHECKPOINT_ID = 'a2f0b9d4-52c6-4f5e-8a37-6f1f0e7b2c11'
/** Most checkpoints of a course. */
const MAX_CHECKPOINTS = 50

export const nullableMeters = (description: string, example: number | null) =>
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

export const checkpointFields = {
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

const Checkpoint = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [CHECKPOINT_ID] }),
    ...checkpointFields,
    course_distance_m: Type.Number({ description: 'Metres from the beginning of the course.', examples: [12_413.2] }),
  },
  { title: 'Checkpoint', description: 'A place of the course at which runners are timed.' },
)

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
    name: nullableText({
      description: 'Name of the course, at first that in its file; null without one.',
      examples: ['Tour du lac'],
    }),
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

const TIME_BASES = ['gun', 'net'] as const

/** The moment from which the times of a ranking count. */
export const timeBasis = Type.Enum(TIME_BASES, {
  description:
    'What `finish_sec`, `elapsed_sec`, gaps and ranks count from: `gun`, the common start, or `net`, the crossing of the start line. Without a common start it is `net`.',
  examples: ['gun'],
})

/** More than the longest race has: 24 hours uphill. */
const MAX_STATED_CLIMB_METERS = 100_000

export const RaceUpdate = Type.Object(
  {
    course_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'Name of the course, in place of that in its file.',
        examples: ['Tour du lac'],
      }),
    ),
    race_starts_at: Type.Optional(
      nullableText({
        format: 'date-time',
        description: 'Common start, from which times are counted; null if each starts on crossing the start line.',
        examples: ['2026-05-03T07:00:00+02:00'],
      }),
    ),
    time_basis: Type.Optional(
      Type.Enum(TIME_BASES, {
        description:
          'What times count from if there is a common start: `gun`, that start, or `net`, the crossing of the start line. A runner of whom no crossing is known counts from the common start.',
        examples: ['net'],
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
    time_basis: Type.Enum(TIME_BASES, {
      description: 'What times count from if there is a common start: that start, or the crossing of the start line.',
      examples: ['gun'],
    }),
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
