import type { TrackRow } from '../model/tables.ts'
import { shownPartOf } from '../model/track-state.ts'
import { readChunks } from '../points/storage/chunks-store.ts'
import { type FigureDeps, gatherInputs } from './figure-inputs.ts'
import { type AnswerCaller, createKeptAnswers } from './kept-answers.ts'
import type { ProfileView } from './points-tasks.ts'

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
