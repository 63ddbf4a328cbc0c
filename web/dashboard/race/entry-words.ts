import type { TFunction } from 'i18next'
import { rankedPassing } from '../../../src/tracks/race/runner-state.ts'
import type { Passing, Ranking, RankingEntry } from '../generated/types.gen.ts'
import type { Format } from '../i18n/format.ts'

/** The time that an entry is ranked by: at the finish, or else at the checkpoint passed last; null without one. */
export function rankedSec(entry: RankingEntry): number | null {
  return entry.finish_sec ?? rankedPassing(entry)?.elapsed_sec ?? null
}

/** Returns the time at the finish that does not count, with its kind; undefined unless there are two. */
export function otherTimeOf({ finish_sec, gun_sec, net_sec }: RankingEntry) {
  if (finish_sec === null || gun_sec === null || net_sec === null || gun_sec === net_sec) return undefined
  return finish_sec === gun_sec ? ({ kind: 'net', sec: net_sec } as const) : ({ kind: 'gun', sec: gun_sec } as const)
}

/** Returns the time at the finish that does not count, in words: `net 1:04:12`; undefined unless there are two. */
export function otherTimeWords(entry: RankingEntry, t: TFunction, format: Format): string | undefined {
  const other = otherTimeOf(entry)
  return other && t(`race.${other.kind}Time`, { time: format.duration(other.sec) })
}

/** Returns the place of a runner in words: the status, the checkpoint passed last, or what is still awaited. */
export function stageWords(entry: RankingEntry, t: TFunction): string {
  const { status, status_place } = entry
  if (status !== null) return [t(`race.status.${status}`), ...(status_place === null ? [] : [status_place])].join(' · ')
  if (entry.state === 'finished') return t('race.state.finished')
  if (entry.state === 'not-started') return t('race.state.notStarted')
  return entry.last_checkpoint?.name ?? t('race.state.running')
}

/** Returns the certainty and the source of a time: `±4 s · stop 7 m`. */
export function exactnessOf(passing: Passing, t: TFunction, format: Format): string {
  const source = sourceWords(passing, t, format)
  const isRecorded = passing.source === 'crossing' || passing.source === 'stop'
  return [...(isRecorded ? [marginWords(passing.interval_sec)] : []), ...(source === undefined ? [] : [source])].join(
    ' · ',
  )
}

/** Returns how certain a time is: `±4 s`. Rounded up, because it promises. */
export function marginWords(intervalSec: number): string {
  const sec = Math.max(1, Math.ceil(intervalSec))
  return sec < 100 ? `±${sec}\u00a0s` : `±${Math.ceil(sec / 60)}\u00a0min`
}

/** Returns the source of a time: `stop 7 m`, `by hand`, `imported`; undefined for a crossing. */
export function sourceWords({ source, away_m }: Passing, t: TFunction, format: Format): string | undefined {
  if (source === 'manual') return t('race.byHand')
  if (source === 'imported') return t('race.imported')
  return source === 'stop' ? t('race.stopNear', { distance: format.meters(away_m ?? 0) }) : undefined
}

/** Returns the passing of the finish; undefined before it. */
export function finishOf({ checkpoints }: Ranking, { passings }: RankingEntry): Passing | undefined {
  const finish = checkpoints.find(({ kind }) => kind === 'finish')
  return passings.find(({ checkpoint_id }) => checkpoint_id === finish?.id)
}

/** Returns a gap in words, `+1:04`; a dash for the first and for runners without one. */
export function gapWords({ gap_sec, rank }: RankingEntry, format: Format): string {
  if (gap_sec === null || rank === null) return '–'
  return gap_sec === 0 ? '–' : `+${format.duration(gap_sec)}`
}

/** Returns the categories of a ranking by name. */
export function categoriesOf({ entries }: Ranking, language: string): string[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return [...new Set(entries.flatMap(({ category }) => category ?? []))].sort(compare)
}

/** Returns the entries of a category; all for undefined. */
export function entriesIn({ entries }: Ranking, category: string | undefined): RankingEntry[] {
  return category === undefined ? entries : entries.filter((entry) => entry.category === category)
}

/** Returns true while passings are still to be expected. */
export function isUnderWay({ entries, is_complete }: Ranking): boolean {
  return !is_complete || entries.some(({ state, status }) => state === 'running' && status === null)
}

/** Nearer to the course, a runner who leaves it may only have taken the other side of the road. */
const ASTRAY_METERS = 150

/** Tells whether a runner is far enough from the course to be called off it, on the map as in the ranking. */
export function isAstray<Entry extends Pick<RankingEntry, 'state' | 'off_course_m'>>(
  entry: Entry | undefined,
): entry is Entry & { off_course_m: number } {
  return entry?.state === 'running' && (entry.off_course_m ?? 0) >= ASTRAY_METERS
}
