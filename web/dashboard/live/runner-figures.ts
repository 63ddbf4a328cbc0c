import { useTranslation } from 'react-i18next'
import type { LiveTrack as OperatorLiveTrack } from '../../../src/tracks/schemas/live.ts'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { useFormat } from '../i18n/format.ts'
import type { KnownTrack } from './list-tracks.ts'

/** A position younger than this is "just now": phones send this often, and a count of seconds would only flicker. */
const JUST_NOW_MS = 10_000

/** Figures of a runner as texts. */
export type RunnerFigures = {
  /** Age of the latest news, or the silence of a runner without a signal. */
  heard: string
  distance: string | undefined
  duration: string | undefined
  /** Current pace or speed, by activity; undefined for one who stands, has finished or is silent. */
  rate: string | undefined
  averageRate: string | undefined
  /** Charge of the phone, for operators. */
  battery: { text: string; isLow: boolean } | undefined
}

/** Returns a function that puts the figures of a runner at a time, by the server's clock, into words. */
export function useRunnerFigures(lowBatteryPercent: number | undefined) {
  const { t } = useTranslation()
  const format = useFormat()
  return (entry: KnownTrack<SharedTrack>, nowMs: number): RunnerFigures => {
    const { track, lastSpeedMps, status, heardMs = nowMs } = entry
    const { stats, activity_type, points_count } = track
    const isMoving = status === 'running' && lastSpeedMps !== null && lastSpeedMps >= 0
    const percent = (track as Partial<OperatorLiveTrack>).battery_percent ?? undefined
    return {
      heard: heard(),
      distance: stats === null ? undefined : format.distance(stats.distance_meters),
      duration: stats === null ? undefined : format.duration(stats.duration_sec),
      rate: isMoving ? format.rate(activity_type, lastSpeedMps) : undefined,
      averageRate: stats === null ? undefined : format.rate(activity_type, stats.mean_speed_mps),
      battery:
        percent === undefined || status === 'stopped'
          ? undefined
          : { text: t('live.battery', { percent }), isLow: percent <= (lowBatteryPercent ?? -1) },
    }

    function heard(): string {
      if (status === 'silent') return t('live.noSignalFor', { span: spanOf(nowMs - heardMs) })
      if (points_count === 0) return t('live.noPoints')
      if (status === 'stopped') return format.dateTime(track.end_ts ?? heardMs)
      return nowMs - heardMs < JUST_NOW_MS ? t('live.justNow') : format.ago(heardMs, nowMs)
    }
  }
}

/** Returns a time in minutes, or hours and minutes: how long somebody was silent needs no seconds. */
function spanOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h\u00a0${minutes % 60}\u00a0min`
}
