import Type, { type Static } from 'typebox'
import { ACTIVITY_TYPES } from '../domain/activity-type.ts'
import { TRACK_STATES } from '../domain/track-state.ts'
import { numbers, TRACK_ID } from './fields.ts'

export const ReplayTrack = Type.Object(
  {
    track_id: Type.String({ examples: [TRACK_ID] }),
    title: Type.String({ examples: ['Around the lake'] }),
    activity_type: Type.Enum(ACTIVITY_TYPES, { examples: ['walk'] }),
    state: Type.Enum(TRACK_STATES, { examples: ['stopped'] }),
    start_ms: Type.Integer({
      description: 'Time of the first position in milliseconds since 1970.',
      examples: [1777788900000],
    }),
    time_sec: numbers('Seconds since `start_ms`, ascending.', [0, 12.5]),
    latitude: numbers('Degrees.', [46.5191, 46.5193]),
    longitude: numbers('Degrees.', [6.6323, 6.6327]),
    distance_m: numbers('Distance travelled since the first position, in meters.', [0, 37]),
  },
  { title: 'ReplayTrack', description: 'A track in columns. Between two positions, the motion is even.' },
)
export type ReplayTrack = Static<typeof ReplayTrack>

export const EventReplay = Type.Object(
  {
    tracks_total: Type.Integer({
      description: 'Number of tracks that could be replayed. Of very many, the first to start are given.',
      examples: [212],
    }),
    tracks: Type.Array(ReplayTrack, { description: 'By start. Tracks without a position are left out.' }),
  },
  { title: 'EventReplay', description: 'What a replay of an event shows.' },
)
export type EventReplay = Static<typeof EventReplay>
