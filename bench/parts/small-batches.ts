import { runRound } from '../load/batch-load.ts'
import { type Contender, contender } from '../load/contender.ts'
import { startFloorServer, startRival } from '../program/rival-servers.ts'
import { benchServer, startProgram } from '../program/start-program.ts'
import { createTracks } from '../program/target.ts'
import { batchFigures, rivalFigures } from './batch-figures.ts'
import type { Bench, Part } from './part.ts'

const TRACKS = 512
/** The first round is longer by this factor: until code is compiled for speed, a batch costs twice as much. */
const WARM_UP = 3
/** Batches of 10 points over 32 kept-alive connections: rates, and what a batch costs each thread. */
export const smallBatches: Part = {
  name: 'small-batches',
  title: 'Batches of 10 points over 32 connections',
  engines: 'both',
  async *measure(bench) {
    const { engine } = bench
    const server = await engine.start()
    const bare = await startProgram('bare', benchServer('bare-server.ts'))
    const floor = await startFloorServer(bench.folder)
    const rows = await startRival(engine, bench.folder)
    const many = await createTracks(server, 'many', TRACKS)
    const one = await createTracks(server, 'one', 1)
    const contenders = {
      bare: contender('bare node:http server', bare, many),
      many: contender('512 tracks', server, many),
      one: contender('a single track', server, one),
      floor: contender('bodies appended to a file', floor, many),
      rows: contender(
        rows.name,
        rows,
        many.map((_, i) => String(i + 2)),
      ),
    }
    await takeTurns(bench, Object.values(contenders))
    await Promise.all([server, bare, floor, rows].map((each) => each.stop()))
    yield batchFigures(contenders)
    yield rivalFigures(contenders)
  },
}

/**
 * Lets the servers take turns in each round, so that other load affects all of them equally. The first round warms up.
 */
async function takeTurns({ engine, effort }: Bench, contenders: readonly Contender[]): Promise<void> {
  for (let round = 0; round <= effort.loadRounds; round++) {
    if (round === 1) await engine.meter?.checkpoint()
    for (const each of contenders) {
      const done = await runRound(engine, each, round === 0 ? WARM_UP * effort.loadMs : effort.loadMs)
      if (round > 0) each.rounds.push(done)
    }
  }
}
