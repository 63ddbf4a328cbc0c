import { Connection } from '../connection.ts'
import { type Figure, median, ms } from '../figure.ts'
import { fillTrack } from '../fill-track.ts'
import { plainRequest } from '../points-request.ts'
import { createTracks, type Target } from '../target.ts'

const POINTS = 50_000
const TRACKS = 5
const WARM_UP_ROUNDS = 3

/** Measures tracks of 50,000 points: finishing them for the first time and again, with statistics, and reading them. */
export async function measureLongTracks(server: Target, rounds: number): Promise<Figure[]> {
  const ids = await createTracks(server, 'long', TRACKS)
  for (const id of ids) await fillTrack(server, id, POINTS)
  const connection = await Connection.open(server.url)
  const finish = (id: string) => timeExchange(connection, plainRequest(server, 'POST', `/tracks/${id}/finish`))
  const first: number[] = []
  const again: number[] = []
  for (const id of ids) first.push(await finish(id))
  for (let round = 0; round < rounds; round++) again.push(await finish(ids[round % TRACKS]))
  const { readMs, stringifyMs } = await measureReading(server, connection, `/tracks/${ids[0]}/points`, rounds)
  connection.close()
  return [
    {
      what: 'finishing a track of 50,000 points, with its statistics',
      measured: `${ms(first[0])} at the very first, ${ms(median(first))} at first, ${ms(median(again))} again`,
      beside: '',
      target: 'under 50 ms',
    },
    {
      what: 'reading 50,000 points (8 MB)',
      measured: `${ms(readMs)}, ${(readMs / stringifyMs).toFixed(2)}x`,
      beside: `JSON.stringify of the same response: ${ms(stringifyMs)}`,
      target: 'at most 4x, aim 1x',
    },
  ]
}

async function measureReading(server: Target, connection: Connection, address: string, rounds: number) {
  const answer = await (await fetch(server.url + address, { headers: { 'X-API-Key': server.token } })).json()
  const request = plainRequest(server, 'GET', address)
  const reading: number[] = []
  const writing: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    reading.push(await timeExchange(connection, request))
    const startMs = performance.now()
    JSON.stringify(answer)
    writing.push(performance.now() - startMs)
  }
  return { readMs: median(reading.slice(WARM_UP_ROUNDS)), stringifyMs: median(writing.slice(WARM_UP_ROUNDS)) }
}

async function timeExchange(connection: Connection, request: Buffer): Promise<number> {
  const startMs = performance.now()
  const { status } = await connection.exchange(request)
  if (status !== 200) throw new Error(`The response was ${status}`)
  return performance.now() - startMs
}
