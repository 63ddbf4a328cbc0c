import { basename } from 'node:path'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import type { PlannedRequest } from './planned-request.ts'
import { countOf, formatDuration } from './quantities.ts'
import type { ReplayOptions } from './read-arguments.ts'

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
