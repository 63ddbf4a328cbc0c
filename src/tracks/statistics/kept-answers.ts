import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RETRY_SOON_SEC, rateLimited } from '#platform/basics/errors.ts'
import { ConnectionLimit } from '#platform/http/connection-limit.ts'
import { type ContentEncoding, encodeBytes } from '#platform/http/kept-text.ts'
import { SharedWork } from '#platform/jobs/work-queue.ts'
import type { OperatorTracksStore, ReplayedTrack } from '../model/operator-tracks-store.ts'
import { trackName } from '../model/runner-names.ts'
import type { TrackRow } from '../model/tables.ts'
import { decodePauses, shownPartOf } from '../model/track-state.ts'
import { readChunks, readChunksOfTracks } from '../points/storage/chunks-store.ts'
import { type FigureDeps, gatherInputs } from './current-statistics.ts'
import type { ComputingDeps } from './points-pool.ts'
import { cancellationOf, type ProfileView, type ReplayTrackPoints } from './points-tasks.ts'
import { replayJson } from './replay-line.ts'

/** Computations of one caller at once, waiting ones included. Many spectators may share one address. */
const MAX_PER_CALLER = 16

/** The caller who asks for an answer that has to be computed. */
type AnswerCaller = {
  kind: 'operator' | 'spectator'
  /** The operator, or the group of the spectator's address. */
  key: string
  /** Encoding of the answer; undefined for none. */
  encoding: ContentEncoding | undefined
  /** Aborts when the client leaves. */
  left: AbortSignal
}

/**
 * Creates the memory of computed answers. An answer is computed and encoded once for all who ask for the same one, and
 * kept.
 * @param keptBytes memory for answers, encoded ones included
 * @param things the plural noun of a refusal's message, as in "tracks"
 * @returns a function that gives the answer of a name. It throws rateLimited if the caller has too many computations
 */
function createKeptAnswers(keptBytes: number, things: string) {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: keptBytes,
    sizeCalculation: (bytes, key) => bytes.length + key.length,
  })
  const inProgress = new SharedWork<Uint8Array>()
  const callers = new ConnectionLimit({ total: Number.POSITIVE_INFINITY, perCaller: MAX_PER_CALLER })

  async function get(name: string, left: AbortSignal, make: (abandoned: AbortSignal) => Promise<Uint8Array>) {
    const known = kept.get(name)
    if (known !== undefined) return known
    const bytes = await inProgress.join(name, left, make)
    kept.set(name, bytes)
    return bytes
  }

  return async function answer(
    name: string,
    { kind, key, encoding, left }: AnswerCaller,
    compute: (abandoned: AbortSignal) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    async function limited(abandoned: AbortSignal): Promise<Uint8Array> {
      const release = callers.hold(key)
      if (release === undefined) throw tooManyOfCaller(things)
      return await compute(abandoned).finally(release)
    }

    // An operator never waits for the turn of a spectator.
    const own = `${kind} ${name}`
    const plain = (aborts: AbortSignal) => get(own, aborts, limited)
    if (encoding === undefined) return await plain(left)
    return await get(`${own} ${encoding}`, left, async (abandoned) => encodeBytes(await plain(abandoned), encoding))
  }
}

function tooManyOfCaller(things: string) {
  const detail = `Too many ${things} are being computed for this caller. Try again shortly.`
  return rateLimited({ detail, retryAfterSec: RETRY_SOON_SEC })
}

/** Memory for answers that were computed, encoded ones included: some hundred lines of marathons. */
const KEPT_BYTES = 64 * 1_048_576

/** Returns a view of a track as JSON, in the encoding that was asked for. */
export type Profiles = (row: TrackRow, view: ProfileView, caller: AnswerCaller) => Promise<Uint8Array>

/**
 * Computes views of tracks for operators and spectators, once for each revision of a track. Points are read only when a
 * computation begins, so that waiting ones take no memory.
 */
export function createProfiles(deps: FigureDeps): Profiles {
  const { db, pool, turns, terrain } = deps
  const answer = createKeptAnswers(KEPT_BYTES, 'tracks')

  async function compute(row: TrackRow, view: ProfileView, abandoned: AbortSignal): Promise<Uint8Array> {
    const reading = readChunks(db, row.id, shownPartOf(row).untilMs).then((chunks) => ({ row, chunks }))
    const { points } = await gatherInputs(deps, row.event_id, reading, 'in a thread', abandoned)
    return await pool.profile({ ...points, trackId: row.id, view })
  }

  return async function profile(row, view, caller) {
    await terrain.look()
    const { fromMs, untilMs } = shownPartOf(row)
    const name = `${row.id} ${row.revision} ${fromMs} ${untilMs} ${terrain.file()} ${JSON.stringify(view)}`
    return await answer(name, caller, (abandoned) =>
      turns.take(caller.kind, () => compute(row, view, abandoned), abandoned),
    )
  }
}

/** Positions of all tracks together, so that an answer stays at a few megabytes, a fifth of it encoded. */
const TOTAL_POSITIONS = 160_000
/** Positions of one track: a marathon within 4 m. */
const MAX_POSITIONS = 800
/** Most tracks of a replay; each still gets 16 positions. */
const MAX_TRACKS = 10_000
/** Points of a task: their columns take 30 MB, and a thread is busy with them for some tenths of a second. */
const POINTS_PER_TASK = 250_000
/**
 * Memory for lines, which outlive the replays they were computed for: in a live event only the lines that go on change.
 */
const KEPT_LINES_BYTES = 32 * 1_048_576
/** Memory for whole answers, encoded ones included. */
const KEPT_ANSWERS_BYTES = 32 * 1_048_576

/** The event or the one track that is replayed. */
type ReplayOf = {
  eventId: string
  trackId?: string
  /** No later position is shown; Infinity for all of them. */
  untilMs: number
}

/** The tracks of a replay in their order. */
type ReplayedTracks = ReplayOf & { tracks: readonly ReplayedTrack[]; tracksTotal: number }

/** Returns the replay of an event as JSON, in the encoding that was asked for. */
export type Replays = (replayOf: ReplayOf, caller: AnswerCaller) => Promise<Uint8Array>

/** Returns the tracks of which a replay for spectators shows something at a time, as they were then. */
export type DelayedReplay = (tracks: readonly ReplayedTrack[], untilMs: number) => Promise<ReplayedTrack[]>

type Deps = ComputingDeps & { operatorTracks: OperatorTracksStore; delayedReplay: DelayedReplay }

/** A track with the part of it that is shown, and a key that is the same while its line is. */
type Line = ReplayTrackPoints['part'] & { track: ReplayedTrack; key: string }

/**
 * Computes replays. A line is computed once for a revision of its track, in tasks of several tracks, each in its turn,
 * so that a replay of thousands holds neither their points in memory nor a thread for long.
 */
export function createReplays(deps: Deps): Replays {
  const lines = new LRUCache<string, { json: Uint8Array | undefined }>({
    maxSize: KEPT_LINES_BYTES,
    sizeCalculation: ({ json }, key) => key.length + (json?.length ?? 0) + 1,
  })
  const answer = createKeptAnswers(KEPT_ANSWERS_BYTES, 'replays')

  async function compute({ tracksTotal, tracks }: ReplayedTracks, kind: AnswerCaller['kind'], abandoned: AbortSignal) {
    const shown = linesOf(tracks)
    const found = new Map(shown.map((line) => [line, lines.get(line.key)]))
    for (const task of tasksOf(shown.filter((line) => found.get(line) === undefined))) {
      const made = await deps.turns.take(kind, () => computeLines(deps, task, abandoned), abandoned)
      task.forEach((line, i) => {
        found.set(line, { json: made[i] })
        lines.set(line.key, { json: made[i] })
      })
    }
    return replayJson(
      tracksTotal,
      shown.map((line) => ({ track: line.track, line: found.get(line)?.json })),
    )
  }

  return async function replay(replayOf, caller) {
    const replayed = await readTracks(deps, replayOf)
    const name = `${replayed.eventId} ${fingerprint(replayed)}`
    return await answer(name, caller, (abandoned) => compute(replayed, caller.kind, abandoned))
  }
}

async function readTracks({ operatorTracks, delayedReplay }: Deps, replayOf: ReplayOf): Promise<ReplayedTracks> {
  const { eventId, untilMs } = replayOf
  const all = await operatorTracks.replayed(eventId, MAX_TRACKS, replayOf)
  if (!Number.isFinite(untilMs)) {
    const tracksTotal = all.length < MAX_TRACKS ? all.length : await operatorTracks.count(eventId, {})
    return { ...replayOf, tracks: all, tracksTotal }
  }
  const tracks = await delayedReplay(all, untilMs)
  const isAll = all.length < MAX_TRACKS
  const tracksTotal = isAll ? tracks.length : await operatorTracks.count(eventId, { toMs: untilMs + 1 })
  return { ...replayOf, tracks, tracksTotal }
}

/** Returns the lines of a replay. A delayed track ends with its last position, and is kept until there are more. */
function linesOf(tracks: readonly ReplayedTrack[]): Line[] {
  const share = Math.floor(TOTAL_POSITIONS / Math.max(1, tracks.length))
  const maxPositions = Math.max(2, Math.min(MAX_POSITIONS, share))
  return tracks.map((track) => {
    const part = { ...shownPartOf(track), maxPositions }
    return { ...part, track, key: `${track.id} ${track.revision} ${part.fromMs} ${part.untilMs} ${maxPositions}` }
  })
}

/** Returns a text that is the same while the replay is. */
function fingerprint(replayed: ReplayedTracks): string {
  const hash = createHash('sha256').update(String(replayed.tracksTotal))
  for (const { key, track } of linesOf(replayed.tracks)) {
    hash.update(JSON.stringify([key, trackName(track), track.title, track.activity_type, track.state]))
  }
  return hash.digest('base64url')
}

/** Divides lines into tasks of about equally many points. */
function tasksOf(lines: readonly Line[]): Line[][] {
  const tasks: Line[][] = []
  let points = Number.POSITIVE_INFINITY
  for (const line of lines) {
    const { point_count } = line.track
    if (points + point_count > POINTS_PER_TASK) {
      tasks.push([])
      points = 0
    }
    tasks.at(-1)!.push(line)
    points += point_count
  }
  return tasks
}

async function computeLines({ db, pool, maxAccuracyMeters }: Deps, lines: readonly Line[], abandoned: AbortSignal) {
  const chunks = await readChunksOfTracks(
    db,
    lines.map(({ track }) => track),
  )
  abandoned.throwIfAborted()
  const tracks = lines.map(({ track, fromMs, untilMs, maxPositions }, i) => ({
    chunks: chunks[i],
    pauses: decodePauses(track.pauses),
    settings: { activityType: track.activity_type, maxAccuracyMeters },
    part: { fromMs, untilMs, maxPositions },
  }))
  return await pool.replay({ tracks, cancellation: cancellationOf(abandoned) })
}
