import type { Engine } from '../program/engine.ts'
import { spentDuring } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { CONNECTIONS, type Contender, contender, type Round } from './contender.ts'
import { keepBusy, type Load } from './keep-busy.ts'

/** Sends batches over 32 connections for a while. @returns what the server did, with what its database did */
export async function runRound(
  { meter }: Pick<Engine, 'meter'>,
  { target, nextRequest }: Pick<Contender, 'target' | 'nextRequest'>,
  durationMs: number,
): Promise<Round> {
  let round: Omit<Round, 'postgres'> | undefined
  const work = async () => {
    let load: Load | undefined
    const spent = await spentDuring(target.pid, async () => {
      load = await keepBusy(target, { connections: CONNECTIONS, durationMs, nextRequest })
    })
    round = { load: load!, spent }
  }
  const postgres = meter === undefined ? void (await work()) : await meter.during(work)
  return { ...round!, postgres }
}

/** Tracks that batches go to; more would only lengthen the warm-up. */
const MOST_TRACKS = 512

/**
 * Measures the processor time of a batch for some of these tracks, on all threads and in the database.
 * @returns microseconds
 */
export async function batchCostUs(engine: Engine, target: Target, trackIds: readonly string[], durationMs: number) {
  const step = Math.max(1, Math.floor(trackIds.length / MOST_TRACKS))
  const chosen = trackIds.filter((_, i) => i % step === 0).slice(0, MOST_TRACKS)
  const sender = contender('', target, chosen)
  await runRound(engine, sender, durationMs)
  const { load, spent, postgres } = await runRound(engine, sender, durationMs)
  const databaseUs = postgres === undefined ? spent.us('SQLite writer') : postgres.backendsUs
  return {
    mainUs: spent.us('main') / load.requests,
    databaseUs: databaseUs / load.requests,
    perSec: load.requestsPerSec,
  }
}
