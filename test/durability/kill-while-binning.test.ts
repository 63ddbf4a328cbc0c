import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileBlobs, s3Blobs } from '../support/blob-stores.ts'
import { createBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { signInFirstOperator } from '../support/sign-in.ts'
import { checkDelivery, waitUntilReady } from './check-publications.ts'
import { errorsLogged, openInstallation } from './installation.ts'
import { makeDocument, type PublishedDocument } from './published-document.ts'
import { publish } from './publishing-load.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

/** Operators who delete and restore at the same time, each another publication. */
const LANES = 3
const CHANGES_BEFORE_A_KILL = 30

type State = 'there' | 'binned' | 'gone'
/** A publication as its operator knows it. `next` is the state that was not acknowledged. */
type Thing = { document: PublishedDocument; id: string; state: State; next?: State }

for (const database of databases) {
  const blobs = database.name === 'SQLite' ? fileBlobs : s3Blobs
  describe(`a process killed while publications are binned, on ${database.name} and ${blobs.name}`, () => {
    test('leaves each whole and read, whole in the bin, or gone', async (t) => {
      const random = seededRandom(t)
      const { url } = await blobs.open(t)
      const settings = { SERVICES: 'publications,dashboard', BLOBS_URL: url, PUBLICATIONS_RATE_LIMIT: '0' }
      const installation = await openInstallation(t, database.prepare, settings)
      let server = await installation.start()
      const { cookie } = await signInFirstOperator(server, installation.query)
      const query = (statement: string) => installation.query(statement, 'publications')
      const things: Thing[] = []
      let changes = 0

      /** Sends to the process that runs, which has another port than the one before. */
      async function ask<Body>(status: number, method: string, path: string): Promise<Body> {
        const answer = await Object.assign(createBrowser(server.url), { cookie }).request(method, path)
        const text = await answer.text()
        assert.equal(answer.status, status, `${method} ${path}: ${text}`)
        return (text === '' ? undefined : JSON.parse(text)) as Body
      }
      const statusOf = async ({ document }: Thing) => (await fetch(`${server.url}/p/${document.slug}`)).status
      const binned = async () => {
        const [{ id }] = await query('select id from workspaces')
        const found = await ask<{ publications: { id: string }[] }>(200, 'GET', `/operator/workspaces/${id}/bin`)
        return found.publications.map((one) => one.id)
      }

      async function begin(): Promise<Thing> {
        const document = makeDocument(random)
        if (!(await publish(server, document))) throw new TypeError('the server is gone')
        const [{ id }] = await query(`select id from publications where slug = '${document.slug}'`)
        const thing: Thing = { document, id: String(id), state: 'there' }
        things.push(thing)
        return thing
      }

      async function change(thing: Thing, method: string, path: string, next: State): Promise<void> {
        thing.next = next
        await ask(204, method, path)
        thing.state = next
        delete thing.next
        changes++
      }

      async function work(thing: Thing): Promise<never> {
        for (let one = thing; ; ) {
          await change(one, 'DELETE', `/operator/publications/${one.id}`, 'binned')
          const binnedPath = `/operator/bin/publications/${one.id}`
          if (random.chance(0.2)) {
            await change(one, 'DELETE', binnedPath, 'gone')
            one = await begin()
          } else await change(one, 'POST', `${binnedPath}/restore`, 'there')
        }
      }

      /** Checks that a publication is in the state that its operator knows, or in the next one, and brings it back. */
      async function check(thing: Thing, inBin: readonly string[]): Promise<void> {
        const { id, state, next } = thing
        const isRead = (await statusOf(thing)) === 200
        const found: State = isRead ? 'there' : inBin.includes(id) ? 'binned' : 'gone'
        assert.ok(found === state || found === next, `${found}, not ${state} or ${next}`)
        assert.equal(inBin.includes(id), found === 'binned')
        if (found !== 'there')
          await ask(found === 'binned' ? 204 : 404, 'POST', `/operator/bin/publications/${id}/restore`)
        thing.state = found === 'gone' ? 'gone' : 'there'
        delete thing.next
      }

      for (let at = 0; at < LANES; at++) await begin()
      for (let round = 0; round < roundCount(1); round++) {
        changes = 0
        const lanes = things.filter(({ state }) => state === 'there').map(work)
        // A lane that ends before the kill has met a wrong answer.
        const enough = (async () => {
          while (changes < CHANGES_BEFORE_A_KILL) await wait(5)
        })()
        await Promise.race([enough, ...lanes])
        await server.stop('SIGKILL')
        for (const lane of await Promise.allSettled(lanes)) {
          const reason: unknown = lane.status === 'rejected' && lane.reason
          if (!(reason instanceof TypeError)) throw reason
        }
        assert.deepEqual(errorsLogged(server), [])
        server = await installation.start()

        assert.deepEqual(await query(HALF), [])
        const inBin = await binned()
        for (const thing of things) await check(thing, inBin)
        assert.deepEqual(await binned(), [])
        await waitUntilReady(server)
        for (const { document, state } of things)
          if (state === 'there') await checkDelivery(server, document.slug!, document)
        const gone = things.filter(({ state }) => state === 'gone').length
        t.diagnostic(`${things.length} publications, ${gone} of them gone`)
      }
    })
  })
}

/**
 * Publications of which a part says otherwise: work that waits for what nobody reads, or is held back for what is read;
 * addresses and uploads that one deleted for good still has, or that another one lost.
 */
const HALF = `select p.id, 'work' as part from publications p join versions v on v.publication_id = p.id
    where (p.deleted_at is null and v.has_work = 2) or (p.binned_at is not null and v.has_work = 1)
      or (p.deleted_at is not null and p.binned_at is null and v.has_work <> 0)
  union all select id, 'binned, but not deleted' from publications where binned_at is not null and deleted_at is null
  union all select p.id, 'slug' from publications p left join slugs s on s.slug = p.slug
    where (p.deleted_at is not null and p.binned_at is null) = (s.publication_id is not null)
  union all select p.id, 'upload' from publications p join uploads u on u.publication_id = p.id
    where p.deleted_at is not null and p.binned_at is null`
