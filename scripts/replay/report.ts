import { basename } from 'node:path'
import { reasonAgainst } from '../accuracy/comparable.ts'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import type { PlannedRequest } from './batches.ts'
import { comparisonTable, countOf, formatCount, formatDuration } from './comparison.ts'
import type { ProgressState } from './progress.ts'
import type { ReplayOptions } from './read-arguments.ts'
import type { ResendReason } from './track-client.ts'

/** Describes the replay: the recording, the server and the duration. The points are in time order. */
export function introduction(
  { points, activityType, device }: ActivityFile,
  plan: readonly PlannedRequest[],
  { path, speed, batchSec, isLossy, seed, url }: ReplayOptions,
): string {
  const timeMs = (index: number) => Date.parse(points[index].timestamp)
  const spanSec = (timeMs(points.length - 1) - timeMs(0)) / 1000
  const file = [activityType, countOf(points.length, 'point'), formatDuration(spanSec), device]
  const playing = [
    `${countOf(plan.length, 'request')} of ${batchSec} s`,
    Number.isFinite(speed) ? `${speed} × as fast, ${lasting(plan, speed)}` : 'without waiting',
    isLossy ? `over a bad connection (seed ${seed})` : '',
  ]
  return `${basename(path)}: ${listed(file)}\nTo ${url}: ${listed(playing)}`
}

function lasting(plan: readonly PlannedRequest[], speed: number): string {
  return `about ${formatDuration(plan[plan.length - 1].dueMs / 1000 / speed)}`
}

function listed(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ')
}

/** Reports the delivery of the points: the number of requests, the reasons for retries, and other problems. */
export function deliveryReport(
  { points, requests, resends, elapsedSec }: ProgressState,
  reasons: ReadonlyMap<ResendReason, number>,
  plan: readonly PlannedRequest[],
): string {
  const oddities = countBy(plan.flatMap((request) => request.oddities))
  const lines = [
    `Delivered ${countOf(points, 'point')} in ${countOf(requests, 'request')} within ${elapsedSec.toFixed(1)} s.`,
  ]
  if (resends > 0) lines.push(`Sent again: ${formatCount(resends)} (${listedCounts(reasons)}).`)
  if (oddities.size > 0) lines.push(`Among them: ${listedCounts(oddities)}.`)
  return lines.join('\n')
}

function countBy<Word extends string>(words: readonly Word[]): Map<Word, number> {
  const counts = new Map<Word, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function listedCounts(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([word, count]) => `${formatCount(count)} × ${word}`).join(', ')
}

/** Reports the result: the statistics next to those of the file, and whether the server has all points sent. */
export function finalReport(file: ActivityFile, track: FinishedTrack, url: string): string {
  const reason = reasonAgainst(file)
  const notes =
    reason === undefined || !hasTotals(file) ? [] : [`The file's own totals are not those of its points: ${reason}.`]
  return [
    comparisonTable(file, track),
    '',
    ...notes,
    pointsCheck(file.points.length, track.points_count),
    `“${track.title}” is at ${url}/tracks/${track.id}`,
  ].join('\n')
}

function hasTotals({ totals }: ActivityFile): boolean {
  return totals.distanceMeters !== undefined || totals.elapsedSec !== undefined
}

function pointsCheck(sent: number, stored: number): string {
  if (stored === sent)
    return `The server has ${sent === 1 ? 'the point' : `all ${formatCount(sent)} points`} that it was sent, each once.`
  return `WRONG: ${countOf(sent, 'point')} went to the server, and it has ${formatCount(stored)}.`
}

/** The members of the response to `POST /tracks/:id/finish` that the report shows. */
export type FinishedTrack = {
  id: string
  title: string
  points_count: number
  stats: {
    distance_meters: number
    duration_sec: number
    moving_time_sec?: number
    elevation_gain_m: number
    elevation_loss_m?: number
    mean_speed_mps: number
    pace_sec_per_km: number
    max_speed_mps?: number
    max_altitude_m?: number
    min_altitude_m?: number
  }
}
