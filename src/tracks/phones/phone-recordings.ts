/** The part of a track that a device has recorded so far, by the times of its first and its last point. */
type RecordedTime = { firstMs: number; lastMs: number }

/** Consecutive points of a request and the recording that they belong to; undefined for a new one. */
export type RecordingPart<Recording> = { recording: Recording | undefined; from: number; to: number }

/** Points from index `from` up to but not including `to`. */
type Run = { from: number; to: number }

/** A known recording as it grows by the points that are assigned to it. */
type Growing<Recording> = RecordedTime & { recording: Recording }

/**
 * Divides the points of a device among its recordings, by the points' own times: a point belongs to the recording
 * around it, else to the nearest one that it follows or precedes by at most `silenceMs`, and so do the points that lead
 * to it. Points that are near none begin a new recording, and a longer silence among them another one.
 * @param timesMs ascending
 * @param known the recordings near the points
 */
export function assignToRecordings<Recording extends RecordedTime>(
  timesMs: ArrayLike<number>,
  known: readonly Recording[],
  silenceMs: number,
): RecordingPart<Recording>[] {
  const growing = known.map((recording) => ({ recording, firstMs: recording.firstMs, lastMs: recording.lastMs }))
  return runsOf(timesMs, silenceMs).flatMap((run) => assignRun(timesMs, run, growing, silenceMs))
}

/** Cuts points where a silence separates them. */
function runsOf(timesMs: ArrayLike<number>, silenceMs: number): Run[] {
  const runs: Run[] = []
  for (let i = 0; i < timesMs.length; i++) {
    const last = runs.at(-1)
    if (last !== undefined && timesMs[i] - timesMs[i - 1] <= silenceMs) last.to = i + 1
    else runs.push({ from: i, to: i + 1 })
  }
  return runs
}

function assignRun<Recording>(
  timesMs: ArrayLike<number>,
  { from, to }: Run,
  growing: readonly Growing<Recording>[],
  silenceMs: number,
): RecordingPart<Recording>[] {
  let met = from
  while (met < to && nearest(growing, timesMs[met], silenceMs) === undefined) met++
  if (met === to) return [{ recording: undefined, from, to }]
  const parts: RecordingPart<Recording>[] = []
  for (let i = met; i < to; i++) {
    // After the first, each point follows one that has just been assigned.
    const owner = nearest(growing, timesMs[i], silenceMs)!
    owner.firstMs = Math.min(owner.firstMs, timesMs[i === met ? from : i])
    owner.lastMs = Math.max(owner.lastMs, timesMs[i])
    const last = parts.at(-1)
    if (last?.recording === owner.recording) last.to = i + 1
    else parts.push({ recording: owner.recording, from: i === met ? from : i, to: i + 1 })
  }
  return parts
}

/** Returns the recording nearest to a time; of several, the earliest. */
function nearest<Recording>(
  growing: readonly Growing<Recording>[],
  timeMs: number,
  silenceMs: number,
): Growing<Recording> | undefined {
  let found: Growing<Recording> | undefined
  let foundMs = Number.POSITIVE_INFINITY
  for (const one of growing) {
    const distanceMs = Math.max(0, one.firstMs - timeMs, timeMs - one.lastMs)
    if (distanceMs <= silenceMs && distanceMs < foundMs) {
      found = one
      foundMs = distanceMs
    }
  }
  return found
}
