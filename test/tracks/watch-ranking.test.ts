import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveRanking, Ranking } from '../../src/tracks/race/result-schemas.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { AROUND, openRace, RACE_START_MS, racePoints } from '../support/race-requests.ts'
import { openEvents, type ReceivedEvent } from '../support/read-events.ts'

const isRanking = ({ event }: ReceivedEvent) => event === 'ranking'
const asksToRead = (received: ReceivedEvent) => isRanking(received) && (received.data as LiveRanking).read_again

describeTracks('Watching a ranking', { on: oneDatabase, signedIn: true }, async ({ service }) => {
  test('asks to read it, and then brings the entries that change, to operators and spectators', async (t) => {
    const race = await openRace(service)
    await race.putRunners('7,Bob,M,bob', '12,Anna,F,anna')
    const id = await race.run('bob', AROUND.slice(0, 2), { speedMps: 4 })
    const token = await race.share()
    const streams = [
      await openEvents(`${service.url}${race.path}/live`, undefined, service.operator.cookie),
      await openEvents(`${service.url}/shares/${token}/live`),
    ]
    t.after(() => {
      for (const stream of streams) stream.close()
    })
    for (const stream of streams) await stream.until(asksToRead)
    const before = await race.ranking()

    await race.phone.add(id, racePoints([AROUND[1], AROUND[2], AROUND[3], AROUND[4]], { speedMps: 4, startSec: 276 }))

    for (const stream of streams) {
      const received = (await stream.until(isRanking)).at(-1)?.data as LiveRanking
      assert.equal(received.read_again, false)
      assert.deepEqual(
        received.entries.map(({ bib, state }) => [bib, state]),
        [['7', 'finished']],
      )
      assert.deepEqual(received.entries[0], (await race.ranking()).entries[0])
    }
    assert.equal(before.entries[0].state, 'running')
  })

  test('asks to read it again after a checkpoint has moved, and tells of a runner who is taken out', async (t) => {
    const race = await openRace(service)
    await race.putRunners('7,Bob,M,bob', '12,Anna,F,anna')
    await race.run('bob', AROUND, { speedMps: 4 })
    const stream = await openEvents(`${service.url}${race.path}/live`, undefined, service.operator.cookie)
    t.after(() => stream.close())
    await stream.until(asksToRead)

    await service.answer(200, 'PATCH', `${race.path}/runners/bob`, { status: 'dsq' })
    const out = (await stream.until(isRanking)).at(-1)?.data as LiveRanking
    await race.putEast(80)
    const moved = (await stream.until(isRanking)).at(-1)?.data as LiveRanking

    assert.deepEqual(
      out.entries.map(({ bib, status, rank }) => [bib, status, rank]),
      [['7', 'dsq', null]],
    )
    assert.deepEqual(moved, { read_again: true, entries: [] })
  })

  test('keeps to the delay for spectators', async (t) => {
    const race = await openRace(service, { spectator_delay_sec: 600 })
    const nowSec = (Date.now() - RACE_START_MS) / 1000
    const token = await race.share()
    const stream = await openEvents(`${service.url}/shares/${token}/live`)
    t.after(() => stream.close())
    await stream.until(asksToRead)

    await race.run('bob', AROUND, { speedMps: 4, startSec: nowSec - 120 - 1050 })

    const hasPassings = (received: ReceivedEvent) =>
      isRanking(received) && (received.data as LiveRanking).entries.some(({ passings }) => passings.length > 0)
    const { entries } = (await stream.until(hasPassings)).at(-1)!.data as LiveRanking
    assert.deepEqual(
      entries.map(({ state, passings }) => [state, passings.length]),
      [['running', 2]],
    )
    const { as_of } = await service.answer<Ranking>(200, 'GET', `/shares/${token}/ranking`)
    assert.ok(Date.parse(as_of) <= Date.now() - 600_000)
  })

  test('says nothing about events without a race', async (t) => {
    const event = await service.createEvent('No race')
    const path = `/operator/events/${event.id}`
    const stream = await openEvents(`${service.url}${path}/live`, undefined, service.operator.cookie)
    t.after(() => stream.close())

    const received = await stream.until(({ event }) => event === 'as-of')

    assert.ok(!received.some(isRanking))
  })
})
