import { MAX_POINTS_PER_REQUEST, MAX_POINTS_PER_SYNC } from '../points/schemas.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** The tags of the service's API. Each description covers the common ground of its operations. */
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
    name: 'Phones',
    description: `Addresses for apps that people have already: OsmAnd, Traccar Client, Overland, OwnTracks and GPSLogger. The token in the
address is the only credential. Invalid points are left out, and the answer is what makes the app go on.`,
  },
  {
    name: 'Webhooks',
    description: `A webhook is a URL of yours to which the server sends a \`POST\` when something happens, so that a program need not ask. The body is
\`{"type","timestamp","data"}\`; \`data\` is what the API answers for the same thing, and only its \`id\` when it was deleted.

Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) describe: verify \`webhook-signature\` with the webhook's
secret before you use a message. A status of 200 to 299 within 15 seconds accepts it. Otherwise it is sent again after 5 seconds,
1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 12 hours and 24 hours. A message may arrive twice, with the same \`webhook-id\`, and
messages may arrive in another order than they were written. An answer of 410 disables the webhook.

Types: \`track.created\`, \`track.finished\`, \`track.reopened\`, \`track.deleted\`. Webhooks belong to an event and need a token with the permission \`manage\`.`,
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
  track_id: {
    type: 'string',
    description: 'With 409 for a `device_track_id` in use: the track that uses it. With TRACK_DAMAGED: the track.',
  },
  damaged: {
    type: 'array',
    description: 'With TRACK_DAMAGED: the parts of the track that cannot be read, up to 20. Not for spectators.',
    items: { type: 'string' },
  },
}
