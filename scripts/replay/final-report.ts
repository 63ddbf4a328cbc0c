import { reasonAgainst } from '../accuracy/comparable.ts'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import { comparisonTable } from './comparison.ts'
import type { FinishedTrack } from './finished-track.ts'
import { countOf, formatCount } from './quantities.ts'

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
