import { integer, timeZone } from '#platform/config.ts'

/** Settings of the track recording service. */
export const tracksConfig = {
  rateLimit: {
    env: 'TRACKS_RATE_LIMIT',
    fallback: '500',
    doc: 'Requests per second for one app token and client address, and failed sign-ins per second for one address; 0 = off.',
    read: integer(0, 1_000_000),
  },
  titleTimeZone: {
    env: 'TITLE_TIME_ZONE',
    fallback: 'UTC',
    doc: 'Time zone of generated titles when start_ts carries no offset of its own.',
    read: timeZone,
  },
  maxAccuracyMeters: {
    env: 'TRACKS_MAX_ACCURACY_METERS',
    fallback: '50',
    doc: 'Points with a worse accuracy than this are left out of the statistics (never of the stored points); 0 = off.',
    read: integer(0, 100_000),
  },
}
