import type { RunnerTimeRow } from '../model/tables.ts'
import type { Gate } from './checkpoints.ts'
import type { GatePassing, Standing } from './standing.ts'

/** A time that does not come from a recording: entered by an operator, or imported from a timing system. */
export type NotedTime = { source: 'manual' | 'imported'; timeMs: number }

/** Times of runners by their `user_id`, and then by the id of the checkpoint. */
export type NotedTimes = ReadonlyMap<string, ReadonlyMap<string, NotedTime>>

/**
 * Returns the times that count: by hand before imported, of each the latest. One that was removed counts no more.
 * @param rows all that was ever noted, the earliest first
 */
export function countingTimes(rows: readonly RunnerTimeRow[]): NotedTimes {
  const latest = new Map<string, RunnerTimeRow>()
  for (const row of rows) latest.set(JSON.stringify([row.user_id, row.checkpoint_id, row.source]), row)
  const times = new Map<string, Map<string, NotedTime>>()
  for (const { user_id, checkpoint_id, source, time_ms: timeMs } of latest.values()) {
    if (timeMs === null || source === 'rejected') continue
    const ofRunner = times.get(user_id) ?? new Map<string, NotedTime>()
    times.set(user_id, ofRunner)
    if (source === 'manual' || !ofRunner.has(checkpoint_id)) ofRunner.set(checkpoint_id, { source, timeMs })
  }
  return times
}

/** Identifies a time of a runner. */
export const timeKey = (userId: string, checkpointId: string) => JSON.stringify([userId, checkpointId])

/**
 * Returns the keys of the times about which an operator has decided that there is none, or that the recording is right.
 * Any later note by hand, also a removal, ends that decision.
 * @param rows all that was ever noted, the earliest first
 */
export function rejectedTimes(rows: readonly RunnerTimeRow[]): ReadonlySet<string> {
  const rejected = new Set<string>()
  for (const { user_id, checkpoint_id, source } of rows) {
    const key = timeKey(user_id, checkpoint_id)
    if (source === 'rejected') rejected.add(key)
    else if (source === 'manual') rejected.delete(key)
  }
  return rejected
}

/** Returns times by the indexes of gates, as known at a time; Infinity for all. */
export function timesAtGates(
  times: NotedTimes,
  checkpoints: readonly { id: string }[],
  untilMs: number,
): Map<string, Map<number, NotedTime>> {
  const gates = new Map(checkpoints.map(({ id }, gate) => [id, gate]))
  const atGates = new Map<string, Map<number, NotedTime>>()
  for (const [userId, ofRunner] of times) {
    const known = [...ofRunner].flatMap(([checkpointId, time]) => {
      const gate = gates.get(checkpointId)
      return gate === undefined || time.timeMs > untilMs ? [] : [[gate, time] as const]
    })
    if (known.length > 0) atGates.set(userId, new Map(known))
  }
  return atGates
}

type CountedGate = Pick<Gate, 'kind' | 'courseM'>

/**
 * Returns a standing with noted times in place of those from the recording, which stay beside them.
 * @param times by the index of the gate
 */
export function withNotedTimes(
  standing: Standing,
  times: ReadonlyMap<number, NotedTime>,
  gates: readonly CountedGate[],
): Standing {
  if (times.size === 0) return standing
  const passings = gates.flatMap((_, gate): GatePassing[] => {
    const recorded = standing.passings.find((one) => one.gate === gate)
    const noted = times.get(gate)
    if (noted === undefined) return recorded === undefined ? [] : [recorded]
    const { source, timeMs } = noted
    return [{ gate, timeMs, intervalSec: 0, awayM: null, source, recordedMs: recorded?.timeMs ?? null }]
  })
  const last = gates[passings[passings.length - 1].gate]
  if (last.kind === 'finish') return { state: 'finished', passings, progressM: last.courseM, offCourseM: null }
  return { ...standing, state: 'running', passings, progressM: Math.max(standing.progressM, last.courseM) }
}
