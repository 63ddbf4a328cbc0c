import { batchCostUs } from '../load/batch-load.ts'
import { type Operator, signIn } from '../load/operator.ts'
import { spentOn } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [1, 100, 1_000, 10_000, 100_000]
/** Size at which a search has a target. */
const SEARCHED = 100_000
const ROUNDS = 15
const LOAD_MS = 1_000
const CREATING_CONNECTIONS = 32

const FIRST_NAMES = ['Anna', 'Bilal', 'Chloé', 'Dmitri', 'Élodie', 'Farid', 'Greta', 'Hugo', 'Inès', 'Jonas', 'Lena']
const LAST_NAMES = ['Garnier', 'Haddad', 'Iversen', 'Jansen', 'Kowalski', 'Lambert', 'Moreau', 'Novak', 'Okafor']
const PLACES = ['lake', 'forest', 'ridge', 'harbour', 'old town', 'river', 'stadium']

/** Searches: a word in a seventh of all titles, a number in few of them, words of one title, and words of none. */
const SEARCHES = ['lake', '4711', 'garnier round the lake 7', 'nobody was here']

/** Cost of a batch, of a list and of a search, as an event has more and more tracks. */
export const growthTracks: Part = {
  name: 'growth-tracks',
  title: 'Growth with the tracks of an event',
  engines: 'both',
  async *measure({ engine, effort }) {
    const server = await engine.start()
    const operator = await signIn(server)
    const ids: string[] = []
    for (const size of sizesUpTo(SIZES, effort.growth.tracks)) {
      await createUpTo(server, ids, size)
      const batch = await batchCostUs(engine, server, ids, LOAD_MS)
      yield [
        { what: 'processor time of a batch: main thread', value: batch.mainUs, unit: 'µs', at: size },
        { what: `processor time of a batch: ${writerOf(engine.name)}`, value: batch.databaseUs, unit: 'µs', at: size },
        ...(await listFigures(server, operator, size)),
      ]
    }
    await server.stop()
  },
}

function writerOf(engine: string): string {
  return engine === 'SQLite' ? 'SQLite writer' : 'PostgreSQL’s backends'
}

async function listFigures(server: Target, operator: Operator, size: number): Promise<Figure[]> {
  const address = `/operator/events/${server.eventId}/tracks?limit=50`
  const list = await timeAsking(server, operator, address)
  const searches: Asked[] = []
  for (const words of SEARCHES)
    searches.push(await timeAsking(server, operator, `${address}&q=${encodeURIComponent(words)}`))
  const slowest = searches.reduce((one, other) => (other.tookMs > one.tookMs ? other : one))
  const goal = size === SEARCHED ? { atMost: 20 } : undefined
  return [
    { what: 'first page of the list', value: list.tookMs, unit: 'ms', at: size },
    { what: `search, the slowest of ${SEARCHES.length}`, value: slowest.tookMs, unit: 'ms', at: size, goal },
    { what: 'the same search, processor time of all threads', value: slowest.spentMs, unit: 'ms', at: size },
  ]
}

type Asked = { tookMs: number; spentMs: number }

async function timeAsking({ pid }: Target, operator: Operator, address: string): Promise<Asked> {
  const asked: Asked[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    let tookMs = 0
    const { totalUs } = await spentOn(pid, async () => {
      const startMs = performance.now()
      await operator.ask('GET', address)
      tookMs = performance.now() - startMs
    })
    if (round > 0) asked.push({ tookMs, spentMs: totalUs / 1000 })
  }
  return { tookMs: median(asked.map((one) => one.tookMs)), spentMs: median(asked.map((one) => one.spentMs)) }
}

/** Creates tracks with titles as people give them, until there are `count`. */
async function createUpTo(server: Target, ids: string[], count: number): Promise<void> {
  let next = ids.length
  const headers = { 'X-API-Key': server.token, 'Content-Type': 'application/json' }
  await Promise.all(
    Array.from({ length: CREATING_CONNECTIONS }, async () => {
      while (next < count) {
        const i = next++
        const body = JSON.stringify({ ...namesOf(i), start_ts: new Date(Date.UTC(2026, 4, 3, 6) + i * 1000) })
        const answer = await fetch(`${server.url}/tracks`, { method: 'POST', headers, body })
        if (answer.status !== 201) throw new Error(`Creating a track was answered ${answer.status}`)
        ids[i] = ((await answer.json()) as { id: string }).id
      }
    }),
  )
}

function namesOf(i: number) {
  const name = `${FIRST_NAMES[i % FIRST_NAMES.length]} ${LAST_NAMES[i % LAST_NAMES.length]}`
  const title = `${name} round the ${PLACES[i % PLACES.length]} ${i}`
  return { title, device_track_id: `phone-${i}`, user_id: `runner-${i}` }
}
