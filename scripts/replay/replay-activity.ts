import { randomUUID } from 'node:crypto'
import type { ActivityFile } from '../activity-file/activity-file.ts'
import { readActivityFile } from '../activity-file/read-activity-file.ts'
import { type StatusLine, showStatus, type Terminal } from '../command-line/status-line.ts'
import type { Loss, PlannedRequest } from './batches.ts'
import { countOf, formatCount } from './comparison.ts'
import { openExchange } from './exchange.ts'
import { planRequests } from './plan-requests.ts'
import { playTrack, startPlayClock } from './play-track.ts'
import { progressLine, startTally, type Tally } from './progress.ts'
import type { ReplayOptions } from './read-arguments.ts'
import { deliveryReport, type FinishedTrack, finalReport, introduction } from './report.ts'
import { ReplayError, trackClient } from './track-client.ts'

/** A bad connection also loses the first responses to the creation and the finish of the track. */
const LOST_AT_BOTH_ENDS: readonly Loss[] = ['answer lost']

/**
 * Plays the activity of a file against a running server, and prints its progress and result. Returns true if the
 * server has exactly the points that were sent.
 * @throws ReplayError if the file cannot be played, the server refuses or stays unreachable, or on the signal
 */
export async function replayActivity(
  options: ReplayOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const file = await readInTimeOrder(options.path)
  const plan = planRequests(
    file.points.map(({ timestamp }) => Date.parse(timestamp)),
    options,
  )
  terminal.write(`${introduction(file, plan, options)}\n`)
  const tally = startTally(file.points.length)
  const track = await deliver({ file, plan, options, tally, terminal, signal })
  terminal.write(`${deliveryReport(tally.state(), tally.resends, plan)}\n\n${finalReport(file, track, options.url)}\n`)
  return track.points_count === file.points.length
}

async function readInTimeOrder(path: string): Promise<ActivityFile> {
  const file = await readActivityFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ReplayError(error.code === 'ENOENT' ? `${path}: there is no such file` : error.message)
  })
  if (file.points.length === 0) throw new ReplayError(`${path}: no point has both a position and a time`)
  const points = file.points.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  return { ...file, points }
}

type Delivery = {
  file: ActivityFile
  plan: readonly PlannedRequest[]
  options: ReplayOptions
  tally: Tally
  terminal: Terminal
  signal: AbortSignal
}

/** Creates the track, sends its points and finishes it, with progress on the terminal. */
async function deliver({ file, plan, options, tally, terminal, signal }: Delivery): Promise<FinishedTrack> {
  const clock = startPlayClock(options.speed, signal)
  const exchange = openExchange(options.url, options.token, signal)
  const client = trackClient({ url: options.url, exchange, clock, onResend: tally.resent })
  const losses = options.isLossy ? LOST_AT_BOTH_ENDS : []
  let id = ''
  let progress: StatusLine | undefined
  try {
    id = await client.create(creationOf(file), losses)
    progress = showStatus(terminal, (width) => progressLine(tally.state(), width))
    await playTrack(file.points, plan, { id, client, clock, listener: tally })
    return await client.finish(id, losses)
  } catch (error) {
    throw signal.aborted ? new ReplayError(stopped(tally, id)) : error
  } finally {
    progress?.stop()
  }
}

function creationOf({ points, activityType }: ActivityFile) {
  return { device_track_id: `replay-${randomUUID()}`, activity_type: activityType, start_ts: points[0].timestamp }
}

function stopped(tally: Tally, id: string): string {
  if (id === '') return 'Stopped before there was a track.'
  const { acknowledgedPoints, points } = tally.state()
  return `Stopped: the server has ${formatCount(acknowledgedPoints)} of ${countOf(points, 'point')}, and the track ${id} stays open.`
}
