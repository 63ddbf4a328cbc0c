import { setImmediate as turn } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import { moment, nullableInteger, nullableMoment, TRACK_ID } from '../model/schema-fields.ts'
import { type Frame, type FrameTrack, headingDegrees, speedMps, UNITS_PER_DEGREE } from './frame.ts'
import type { LatestFrame } from './frame-series.ts'

const number = Type.Integer({
  description: 'Number of the frame: the time at which it was due, in units of two seconds. It never falls.',
  examples: [888_889_050],
})

export const FrameLatest = Type.Object(
  {
    number,
    key: Type.Integer({
      description: 'Number of the newest whole frame. Begin with it, with `whole=true`.',
      examples: [888_889_042],
    }),
    numbers: Type.Array(Type.Integer(), {
      description: 'The frames from `key` to `number`, in their order.',
      examples: [[888_889_042, 888_889_043]],
    }),
    as_of: moment("Time of the state that the newest frame shows, by the server's clock."),
    lag_ms: Type.Integer({ description: 'Milliseconds since `as_of`.', examples: [1200] }),
    delay_sec: Type.Integer({ description: 'Time by which everything is shown later; 0 for none.', examples: [0] }),
    interval_sec: Type.Integer({
      description: 'Seconds until the next frame is due: 2, or 4 or 8 on a busy server.',
      examples: [2],
    }),
  },
  { title: 'LatestFrame', description: 'The newest frame of positions, and the frames to read before it.' },
)
export type FrameLatest = Static<typeof FrameLatest>

/** Represents the newest frame. */
export function latestJson(
  { number, key, numbers, asOfMs, intervalMs, lagMs }: LatestFrame,
  delaySec: number,
): FrameLatest {
  return {
    number,
    key,
    numbers: [...numbers],
    as_of: formatDateTime(asOfMs),
    lag_ms: Math.round(lagMs()),
    delay_sec: delaySec,
    interval_sec: intervalMs / 1000,
  }
}

export const FrameQuery = Type.Object({
  whole: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'All tracks in place of those that differ from the frame before. Only `key` frames have it.',
    }),
  ),
  format: Type.Optional(Type.Enum(['binary', 'json'], { description: '`binary` is the default, a tenth as long.' })),
})
export type FrameQuery = Static<typeof FrameQuery>

const FrameTrackJson = Type.Object(
  {
    id: Type.String({ examples: [TRACK_ID] }),
    state: Type.Enum(['running', 'paused', 'stopped'], { examples: ['running'] }),
    at: nullableMoment('Time of the last visible point, in whole seconds; null without one.'),
    latitude: Type.Unsafe<number | null>({ type: ['number', 'null'], examples: [45.92371] }),
    longitude: Type.Unsafe<number | null>({ type: ['number', 'null'], examples: [6.86943] }),
    heading: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Direction of movement in degrees; null if unknown.',
      examples: [92],
    }),
    speed_mps: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Speed in meters per second; null if unknown, as after a silence.',
      examples: [3.05],
    }),
    rank: nullableInteger({ description: 'Rank in the race; null without one.', examples: [12] }),
    details: Type.Integer({
      description: 'Changes with what the list of tracks says and frames do not, such as the title.',
      examples: [40_512],
    }),
    battery: Type.Optional(
      nullableInteger({
        description: 'Charge of the phone in per cent; null if unknown. For operators.',
        examples: [87],
      }),
    ),
  },
  { title: 'FrameTrack', description: 'A track as a frame shows it.' },
)

export const FrameJson = Type.Object(
  {
    number,
    previous: nullableInteger({
      description: 'The frame that this one continues; null if it begins anew.',
      examples: [888_889_049],
    }),
    key: Type.Integer({ description: 'The whole frame that the binary form refers to.', examples: [888_889_042] }),
    whole: Type.Boolean({ description: 'True if it has all tracks.', examples: [false] }),
    as_of: moment("Time of the state that it shows, by the server's clock."),
    delay_sec: Type.Integer({ description: 'Time by which everything is shown later; 0 for none.', examples: [0] }),
    tracks_left_out: Type.Integer({ description: 'Older tracks of the event that no frame has.', examples: [0] }),
    tracks: Type.Array(FrameTrackJson),
  },
  { title: 'Frame', description: 'The tracks that differ from the frame before, or all.' },
)
export type FrameJson = Static<typeof FrameJson>

/** Tracks that are written without a break, a millisecond or two. */
const TRACKS_AT_ONCE = 500

/** Represents a frame as JSON, for programs that do not read the binary form. A long one is written with breaks. */
export async function frameJson(frame: Frame, hasBattery: boolean): Promise<string> {
  const { number, previous, key, isWhole, asOfMs, delaySec, leftOut, entries } = frame
  const as_of = formatDateTime(asOfMs)
  const head: FrameJson = {
    number,
    previous,
    key,
    whole: isWhole,
    as_of,
    delay_sec: delaySec,
    tracks_left_out: leftOut,
    tracks: [],
  }
  const parts: string[] = []
  for (let start = 0; start < entries.length; start += TRACKS_AT_ONCE) {
    const some = entries.slice(start, start + TRACKS_AT_ONCE)
    parts.push(some.map(({ track }) => JSON.stringify(trackJson(track, hasBattery))).join())
    await turn()
  }
  // The empty list of tracks is the end of the text.
  return `${JSON.stringify(head).slice(0, -2)}${parts.join()}]}`
}

function trackJson(
  { id, state, position, speed, rank, details, battery }: FrameTrack,
  hasBattery: boolean,
): FrameJson['tracks'][number] {
  return {
    id,
    state,
    at: position === null ? null : formatDateTime(position.timeSec * 1000),
    latitude: position === null ? null : position.latitude / UNITS_PER_DEGREE,
    longitude: position === null ? null : position.longitude / UNITS_PER_DEGREE,
    heading: position === null ? null : headingDegrees(position.heading),
    speed_mps: speedMps(speed),
    rank: rank === 0 ? null : rank,
    details,
    ...(hasBattery ? { battery: battery === 0 ? null : battery - 1 } : {}),
  }
}
