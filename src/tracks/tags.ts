import { MAX_POINTS_PER_REQUEST, MAX_POINTS_PER_SYNC } from './schemas/track.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** The parts of the service's API, with what holds for all of each. */
export const tracksTags = [
  {
    name: 'Tracks',
    description: `A track is one recorded activity. A token belongs to an event, and sees the tracks of its event alone.

While an activity goes on: create a track, send points every few seconds, finish it. Afterwards: send all of it at once
with a sync. A body may have 64 MiB, decoded; the allowance is 500 requests a second unless the operator has set
another.`,
  },
  {
    name: 'Points',
    description: `A point is one position at one time. A request brings at most ${number(MAX_POINTS_PER_REQUEST)} of them, a sync at most ${number(MAX_POINTS_PER_SYNC)}.
One bad point refuses the whole request, and \`errors\` names it.`,
  },
  {
    name: 'Operator',
    description: `Events with their tokens, tracks and quotas, for the dashboard: these addresses are for signed-in operators, by the
cookie of their session, and for pages of this server alone.`,
  },
  {
    name: 'Shared',
    description: `What an operator has shared with spectators, by an address that ends when it expires or is revoked. The token in the
address is all it takes; it opens nothing but to look. Nothing tells of users or devices.`,
  },
]

/** What the service adds to problem documents. */
export const tracksProblemMembers = {
  track_id: { type: 'string', description: 'With 409 for a `device_track_id` in use: the track that uses it.' },
}
