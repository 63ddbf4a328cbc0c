import type { ActivityType } from '../../domain/activity-type.ts'

/** Words of sports in FIT, TCX and GPX files, which spell them freely: `trail_running`, `Biking`, `Course à pied`. */
const SPORTS: readonly (readonly [RegExp, ActivityType])[] = [
  [/(?<![a-z])(bik(e|ing)|cycl(e|ing)|mountain_?bik|e_?bik|velo|vélo|vtt|mtb|gravel_?ride|ride$)/, 'bike'],
  [/(?<![a-z])(run|jog|trail_?run|course)/, 'run'],
  [/(?<![a-z])(hik|mountain_?eering|trek|snow_?shoe|randonn)/, 'hike'],
  [/(?<![a-z])(walk|marche)/, 'walk'],
]

/** Returns the activity type of a sport; undefined for a sport that the service does not know. */
export function activityTypeOfSport(sport: string | undefined): ActivityType | undefined {
  const word = sport?.trim().toLowerCase()
  return word ? SPORTS.find(([pattern]) => pattern.test(word))?.[1] : undefined
}
