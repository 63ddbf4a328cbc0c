import { useTranslation } from 'react-i18next'
import { foldText } from '../../../src/platform/basics/text.ts'
import type { SharedTrack, TrackSummary } from '../../../src/tracks/api/operator-track-schemas.ts'
import { useFormat } from '../i18n/format.ts'
import { isAstray } from '../race/entry-words.ts'
import type { LiveTrack, LiveTracks } from './live-tracks.ts'
import { type Listed, labelOf, namesOf, type RunnerStatus } from './runners.ts'

/** A track whose summary is known, not only its positions. */
export type KnownTrack<Track extends SharedTrack> = LiveTrack<Track> & { track: Track }

/** The tracks of an event that are shown. */
export type TrackFilter = 'all' | 'live' | 'finished'

/** Returns the filter that a track passes besides `all`. */
export function stageOf(track: SharedTrack): Exclude<TrackFilter, 'all'> {
  const { state, race }: SharedTrack & Listed = track
  return state === 'stopped' || race?.state === 'finished' ? 'finished' : 'live'
}

/** Runners who may need help come first, and runners who have left come last. */
const ORDER: Record<RunnerStatus, number> = { astray: 0, silent: 1, running: 2, paused: 3, stopped: 5, ended: 6 }
/** A recording that ended on the course, of somebody of whom nobody has said that they left the race. */
const ENDED_ON_COURSE = 1.5
/** Between both, a race has one order: its ranking. */
const IN_RANKING = 2

/**
 * Lists the tracks that pass a filter and of which a name contains a text: title, runner, bib, category, `user_id` or
 * `device_track_id`. Those off the course, silent ones and recordings that ended on the course come first, then a race
 * by its ranking; without a race, those in progress, then each status, by title, with numbers in numeric order.
 */
export function listTracks<Track extends SharedTrack>(
  { byId }: LiveTracks<Track>,
  { text = '', filter = 'all', language }: { text?: string; filter?: TrackFilter; language: string },
): KnownTrack<Track>[] {
  const wanted = foldText(text.trim())
  const { compare } = new Intl.Collator(language, { numeric: true })
  return [...byId.values()]
    .filter((entry): entry is KnownTrack<Track> => entry.track !== undefined)
    .filter(({ track }) => filter === 'all' || stageOf(track) === filter)
    .filter(({ track }) => wanted === '' || searchedText(track, language).includes(wanted))
    .sort(
      (a, b) =>
        orderOf(a) - orderOf(b) ||
        (a.shown.rank ?? Number.MAX_VALUE) - (b.shown.rank ?? Number.MAX_VALUE) ||
        compare(labelOf(a.track, language), labelOf(b.track, language)) ||
        (a.track.id < b.track.id ? -1 : 1),
    )
}

function orderOf({ status, track, shown: { rank } }: LiveTrack): number {
  const race = (track as Listed | undefined)?.race
  if (status === 'ended' && race?.state === 'running' && race.status === null) return ENDED_ON_COURSE
  return rank === null ? ORDER[status] : Math.min(ORDER[status], IN_RANKING)
}

/**
 * Returns the owner of a track, unless its name in the list already has it or is that of the start list; undefined for
 * spectators.
 */
export function ownerOf(track: SharedTrack, language: string): string | undefined {
  const { owner, bib } = namesOf(track)
  return owner === undefined || bib !== undefined || foldText(labelOf(track, language)).includes(foldText(owner))
    ? undefined
    : owner
}

function searchedText(track: SharedTrack, language: string): string {
  const { device_track_id }: Partial<TrackSummary> = track
  return foldText(
    [track.title, labelOf(track, language), ...Object.values(namesOf(track)), device_track_id]
      .filter(Boolean)
      .join('\n'),
  )
}

/** A position younger than this is "just now": phones send this often, and a count of seconds would only flicker. */
const JUST_NOW_MS = 10_000

/** Figures of a runner as texts. */
export type RunnerFigures = {
  /** Age of the latest news, or the silence of a runner without a signal. */
  heard: string
  distance: string | undefined
  duration: string | undefined
  /** Current pace or speed, or that one stands; undefined for one who pauses, has finished or is silent. */
  rate: string | undefined
  averageRate: string | undefined
  /** Place and gap in the race, the time of one who has arrived, the distance of one who is off the course. */
  rank: string | undefined
  gap: string | undefined
  raceTime: string | undefined
  offCourse: string | undefined
  /** Charge of the phone, for operators. */
  battery: { text: string; isLow: boolean } | undefined
}

/** Returns a function that puts the figures of a runner at a time, by the server's clock, into words. */
export function useRunnerFigures(lowBatteryPercent: number | undefined) {
  const { t } = useTranslation()
  const format = useFormat()
  return (entry: KnownTrack<SharedTrack>, nowMs: number): RunnerFigures => {
    const { track, shown, status, heardMs = nowMs } = entry
    const { stats, activity_type, points_count, race }: SharedTrack & Listed = track
    const isOver = status === 'stopped' || status === 'ended'
    const percent = shown.battery ?? undefined
    const { rank } = shown
    return {
      heard: heard(),
      distance: stats === null ? undefined : format.distance(stats.distance_meters),
      duration: stats === null ? undefined : format.duration(stats.duration_sec),
      rate: status === 'running' && shown.speedMps !== null ? rateOf(shown.speedMps) : undefined,
      averageRate: stats === null ? undefined : format.rate(activity_type, stats.mean_speed_mps),
      rank: rank === null ? undefined : format.count(rank),
      gap: rank === null || !race?.gap_sec ? undefined : `+${format.duration(race.gap_sec)}`,
      raceTime: race?.finish_sec == null ? undefined : format.duration(race.finish_sec),
      offCourse:
        isAstray(race) && !isOver ? t('race.offCourse', { distance: format.distance(race.off_course_m) }) : undefined,
      battery:
        percent === undefined || isOver
          ? undefined
          : { text: t('live.battery', { percent }), isLow: percent <= (lowBatteryPercent ?? -1) },
    }

    function rateOf(speedMps: number): string {
      return isStanding(activity_type, speedMps) ? t('live.standing') : format.rate(activity_type, speedMps)
    }

    function heard(): string {
      if (status === 'silent') return t('live.noSignalFor', { span: spanOf(nowMs - heardMs) })
      if (points_count === 0) return t('live.noPoints')
      if (isOver) return format.dateTime(track.end_ts ?? heardMs)
      return nowMs - heardMs < JUST_NOW_MS ? t('live.justNow') : format.ago(heardMs, nowMs)
    }
  }
}

/** Slower than this is standing, as in the moving time of a track. */
const STANDING_MPS = { walk: 0.28, hike: 0.28, run: 0.28, bike: 1.11 }

/** Tells whether somebody stands: the pace of receivers at rest would be half an hour a kilometer. */
function isStanding(activityType: SharedTrack['activity_type'], speedMps: number): boolean {
  return speedMps < STANDING_MPS[activityType]
}

/** Returns a time in minutes, or hours and minutes: how long somebody was silent needs no seconds. */
function spanOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h\u00a0${minutes % 60}\u00a0min`
}
