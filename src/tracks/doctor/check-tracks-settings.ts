import { type Finding, findingsOf } from '#platform/doctor/finding.ts'

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
