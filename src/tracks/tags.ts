import { MAX_POINTS_PER_REQUEST, MAX_POINTS_PER_SYNC } from './schemas/track.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** The tags of the service's API. Each description covers what its operations have in common. */
export const tracksTags = [
  {
    name: 'Tracks',
    description: `A track is one recorded activity. A token belongs to an event and gives access to the tracks of its event only.

To record live, create a track, send points every few seconds, and finish the track. To upload a finished activity, send
all of it with one sync. A body can have up to 64 MiB, decompressed. The default rate limit is 500 requests per second.`,
  },
  {
    name: 'Points',
    description: `A point is a position at a time. A request can have ${number(MAX_POINTS_PER_REQUEST)} points, a sync ${number(MAX_POINTS_PER_SYNC)}.
One invalid point makes the whole request fail; \`errors\` names it.`,
  },
  {
    name: 'Operator',
    description: `Events with their tokens, tracks and limits, for the dashboard. These operations require an operator's session cookie
and a page of this server.`,
  },
  {
    name: 'Shared',
    description: `Read-only access for spectators with a share link, until it expires or is revoked. The token in the link is the only
credential. Answers reveal neither users nor devices.`,
  },
]

/** Members that the service adds to problem documents. */
export const tracksProblemMembers = {
  track_id: { type: 'string', description: 'With 409 for a `device_track_id` in use: the track that uses it.' },
}
