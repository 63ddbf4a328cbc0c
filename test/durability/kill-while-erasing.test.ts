import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { tracksLayout } from '../../src/tracks/model/tables.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { trackRequests } from '../support/track-requests.ts'
import { openInstallation, TRACKS_ALONE } from './installation.ts'

const PEOPLE = ['anna', 'ben', 'chloe', 'dora']
const ANSWERS_BEFORE_A_KILL = 20
const POINTS = 5

/** A person with a code. `isNext` is what was asked for last, while it is not answered. */
type Person = { userId: string; token: string; trackId: string; hasAsked: boolean; isNext?: boolean }

for (const database of databases) {
  describe(`a process that is killed on ${database.name}`, () => {
    test('while people ask for their erasure keeps what they were told, and erases what is due to its end', async (t) => {
      const installation = await openInstallation(t, database.prepare, TRACKS_ALONE)
      let server = await installation.start()
      const [event] = (await installation.command('events', 'list')).answer as { id: string }[]
      const people: Person[] = []
      for (const userId of PEOPLE) {
        const words = ['events', 'tokens', 'create', event.id, '--user', userId, '--permissions', 'record,read']
        const { token } = (await installation.command(...words)).answer as { token: string }
        const phone = trackRequests((method, path, json) => {
          const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' }
          return fetch(server.url + path, { method, headers, body: JSON.stringify(json) })
        })
        people.push({ userId, token, trackId: await phone.sync({ points: makePoints(POINTS) }), hasAsked: false })
      }
      const pageOf = ({ token }: Person) => fetch(`${server.url}/r/${token}/erasure`)

      let answers = 0
      const enough = Promise.withResolvers<void>()
      async function change(person: Person): Promise<never> {
        for (;;) {
          person.isNext = !person.hasAsked
          const path = person.isNext ? 'erasure' : 'erasure/take-back'
          const body = new URLSearchParams({ confirmed: 'yes' })
          const url = `${server.url}/r/${person.token}/${path}`
          assert.equal((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status, 303)
          person.hasAsked = person.isNext
          person.isNext = undefined
          if (++answers === ANSWERS_BEFORE_A_KILL) enough.resolve()
        }
      }
      const lanes = people.map(change)
      // A lane that ends before the kill has met a wrong answer.
      await Promise.race([enough.promise, ...lanes])
      await server.stop('SIGKILL')
      for (const lane of await Promise.allSettled(lanes)) {
        const reason: unknown = lane.status === 'rejected' && lane.reason
        if (!(reason instanceof TypeError)) throw reason
      }
      server = await installation.start()

      for (const person of people) {
        const hasAsked = (await (await pageOf(person)).text()).includes('/take-back')
        assert.ok(hasAsked === person.hasAsked || hasAsked === person.isNext, `${person.userId}: ${hasAsked}`)
      }

      const [asking, staying] = [people.slice(0, 2), people.slice(2)]
      for (const [path, some] of [
        ['erasure', asking],
        ['erasure/take-back', staying],
      ] as const) {
        const body = new URLSearchParams({ confirmed: 'yes' })
        for (const { token } of some) await fetch(`${server.url}/r/${token}/${path}`, { method: 'POST', body })
      }
      await server.stop('SIGKILL')
      await installation.query('update erasures set started_at = 1 where finished_at is null')
      // The first process is killed while it erases, or just before; the second one goes on.
      server = await installation.start()
      await server.stop('SIGKILL')
      server = await installation.start()
      while ((await installation.query('select id from erasures where finished_at is null')).length > 0) await wait(50)

      for (const { token } of asking) assert.equal((await fetch(`${server.url}/r/${token}`)).status, 401)
      for (const table of Object.keys(tracksLayout)) {
        const text = JSON.stringify(await installation.query(`select * from ${table}`))
        const left = asking.filter(({ userId }) => text.includes(userId))
        assert.deepEqual(left, [], table)
      }
      for (const { token, trackId } of staying) {
        const track = await fetch(`${server.url}/tracks/${trackId}`, { headers: { 'X-API-Key': token } })
        assert.equal(((await track.json()) as { points_count: number }).points_count, POINTS)
      }
    })
  })
}
