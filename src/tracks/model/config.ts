import { duration, integer, timeZone } from '#platform/basics/config.ts'
import { type Finding, findingsOf } from '#platform/doctor/finding.ts'

/** Settings of the track recording service. */
export const tracksConfig = {
  rateLimit: {
    env: 'TRACKS_RATE_LIMIT',
    fallback: '500',
    doc: 'Maximum requests per second for each app token and client address, and maximum failed authentications per second for each address; 0 = no limit.',
    read: integer(0, 1_000_000),
  },
  titleTimeZone: {
    env: 'TITLE_TIME_ZONE',
    fallback: 'UTC',
    doc: 'Time zone of events that have none of their own: for the times shown, and for generated titles if start_ts has no offset.',
    read: timeZone,
  },
  maxAccuracyMeters: {
    env: 'TRACKS_MAX_ACCURACY_METERS',
    fallback: '50',
    doc: 'Statistics leave out points with a worse accuracy than this. The points are still stored. 0 = no limit.',
    read: integer(0, 100_000),
  },
  phoneSilenceMs: {
    env: 'PHONE_SILENCE',
    fallback: '30m',
    doc: 'Time without a point after which a track that an app such as Traccar Client or OwnTracks records is finished, and the next point begins another. Judged by the times of the points.',
    read: duration(60_000, 7 * 86_400_000),
  },
  liveKeepMs: {
    env: 'LIVE_KEEP',
    fallback: '30s',
    doc: 'Time for which frames of positions go on being made after the last viewer of an event has asked.',
    read: duration(10_000, 3_600_000),
  },
}

const { ok, warning } = findingsOf('tracks')

/** Checks limits that are off. */
export function checkTracksSettings({
  rateLimit,
  maxAccuracyMeters,
}: {
  rateLimit: number
  maxAccuracyMeters: number
}): Finding[] {
  return [
    rateLimit === 0
      ? warning(
          'TRACKS_RATE_LIMIT',
          'There is no limit, also for guesses of tokens.',
          'Remove the setting, unless the proxy limits requests.',
        )
      : ok('TRACKS_RATE_LIMIT', `${rateLimit} requests a second.`),
    maxAccuracyMeters === 0
      ? warning(
          'TRACKS_MAX_ACCURACY_METERS',
          'Statistics use points of any accuracy, also those of cell towers.',
          'Set it to 50, the default.',
        )
      : ok('TRACKS_MAX_ACCURACY_METERS', `Statistics leave out points beyond ${maxAccuracyMeters} m.`),
  ]
}
