import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sender } from '../acceptance/start-program.ts'
import { PASSWORD } from '../operator/support/start-operator.ts'
import { fileBlobs, s3Blobs } from '../support/blob-stores.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { databases, type Owner, type TestDatabase } from '../support/databases.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { makePoints } from '../support/make-points.ts'
import { answer, publishPdf, untilRendered } from '../support/publish.ts'
import { trackRequests } from '../support/track-requests.ts'
import { errorsLogged, type Installation, openInstallation, type RunningInstallation } from './installation.ts'

/** What an installation was told, by which it is asked again. */
type Told = {
  eventId: string
  workspaceId: string
  tracks: string[]
  slugs: string[]
  shareToken: string
  signedPath: string
}

/** A track that grows while the backup is made: the points sent, and how many were acknowledged before it began. */
type Growing = { id: string; sent: number; acknowledged: number }

const MAP = Buffer.from('a map file that an administrator has put into the folder')

async function openTarget(owner: Owner, database: TestDatabase): Promise<Installation> {
  const blobs = database.name === 'SQLite' ? fileBlobs : s3Blobs
  const { url } = await blobs.open(owner)
  return await openInstallation(owner, database.open, { BLOBS_URL: url, PUBLICATIONS_RATE_LIMIT: '0' })
}

/** Fills an installation through its API, with what each service keeps. */
async function tell(server: RunningInstallation, operator: Browser): Promise<Told> {
  const link = /lnk_[\w-]+/.exec(server.output().stdout)![0]
  await answer(await operator.request('POST', '/operator/sign-in-link', { token: link, password: PASSWORD }), 200)
  const { events } = await answer<{ events: { id: string }[] }>(await operator.request('GET', '/operator/events'), 200)
  const { workspaces } = await answer<{ workspaces: { id: string }[] }>(
    await operator.request('GET', '/operator/workspaces'),
    200,
  )
  const eventId = events[0].id
  const webhook = { url: 'https://example.org/hook', types: ['track.finished'] }
  const created = await operator.request('POST', `/operator/events/${eventId}/webhooks`, webhook)
  await answer(created, 201)
  const requests = trackRequests(sender(server.url, server.token))
  const finished = await requests.create({ title: 'Le tour \\N du lac, «été»', user_id: 'Zoë' })
  await requests.add(finished, makePoints(2_000, undefined, { altitude: 400.5, origin: 'background' }))
  await requests.finish(finished)
  const synced = await requests.sync({ points: makePoints(30) })
  const shared = await operator.request('POST', `/operator/events/${eventId}/shares`, {
    label: 'Family',
    track_id: finished,
  })
  const { url: shareUrl } = await answer<{ url: string }>(shared, 201)
  const publisher = { url: server.url, request: sender(server.url, server.apiKey) }
  const { slug } = await publishPdf(publisher, { title: 'Le guide', pages: 3 })
  await untilRendered(publisher, slug)
  const signed = await publisher.request('GET', `/publications/${slug}/pdf`)
  return {
    eventId,
    workspaceId: workspaces[0].id,
    tracks: [finished, synced],
    slugs: [slug],
    shareToken: shareUrl.split('/').at(-1)!,
    signedPath: pathOf((await answer<{ url: string }>(signed, 200)).url),
  }
}

/** Asks for everything that was told. Addresses are without the host and port, which differ from start to start. */
async function ask(server: RunningInstallation, told: Told, operator: Browser): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  async function note(name: string, response: Promise<Response>) {
    const { status, headers, bytes } = await response.then(async (given) => ({
      status: given.status,
      headers: given.headers,
      bytes: Buffer.from(await given.arrayBuffer()),
    }))
    assert.equal(status, 200, `${name}: ${bytes}`)
    const isText = /json|html/.test(headers.get('content-type') ?? '')
    // Of long answers, a hash says as much, and a failure stays readable.
    answers[name] =
      isText && bytes.length < 10_000
        ? withoutUses(withoutHost(String(bytes), server.url))
        : sha256(Buffer.from(withoutHost(bytes.toString('latin1'), server.url), 'latin1'))
  }
  const phone = sender(server.url, server.token)
  const publisher = sender(server.url, server.apiKey)
  for (const id of told.tracks) {
    await note(`track ${id}`, phone('GET', `/tracks/${id}`))
    await note(`points of ${id}`, phone('GET', `/tracks/${id}/points`))
  }
  for (const slug of told.slugs) {
    await note(`publication ${slug}`, publisher('GET', `/publications/${slug}`))
    await note(`page of ${slug}`, fetch(`${server.url}/p/${slug}`))
    await note(`file of ${slug}`, fetch(`${server.url}/publications/${slug}/download`))
    const listed = await fetch(`${server.url}/publications/${slug}/images`)
    const { images } = await answer<{ images: string[] }>(listed, 200)
    for (const image of images)
      for (const type of ['image/jpeg', 'image/webp'])
        await note(`${type} at ${pathOf(image)}`, fetch(image, { headers: { Accept: type } }))
  }
  await note('signed address', fetch(server.url + told.signedPath))
  await note('share', fetch(`${server.url}/shares/${told.shareToken}/tracks`))
  await note('app tokens', operator.request('GET', `/operator/events/${told.eventId}/tokens`))
  await note('API key', operator.request('GET', `/operator/workspaces/${told.workspaceId}/key`))
  await note('shares', operator.request('GET', `/operator/events/${told.eventId}/shares`))
  await note('webhooks', operator.request('GET', `/operator/events/${told.eventId}/webhooks`))
  const page = await fetch(`${server.url}/s/${told.shareToken}`)
  assert.equal(page.status, 200)
  return answers
}

function withoutHost(text: string, url: string): string {
  return text.replaceAll(url, '').replaceAll(encodeURIComponent(url), '')
}

/** Leaves out the times of use, which asking changes. */
function withoutUses(text: string): string {
  return text.replace(/"(last_used_at|now|views|readers|downloads)":("[^"]*"|null|\d+)/g, '"$1":0')
}

/** Goes on sending points and publishing until it is stopped or the server is gone. */
function keepBusy(server: RunningInstallation, growing: Growing): { stop(): Promise<number> } {
  let isStopped = false
  let published = 0
  const points = makePoints(20_000)
  const send = sender(server.url, server.token)
  async function phone() {
    while (!isStopped) {
      const batch = points.slice(growing.sent, growing.sent + 10)
      growing.sent += batch.length
      const response = await send('POST', `/tracks/${growing.id}/points`, { points: batch })
      assert.equal(response.status, 204)
      await wait(50)
    }
  }
  async function publisher() {
    const requests = { url: server.url, request: sender(server.url, server.apiKey) }
    while (!isStopped) {
      await publishPdf(requests, { title: `Meanwhile ${published}`, pdf: numberedPages(1) })
      published++
      // Ever less often, so that a slow machine has no more to do.
      await wait(250 * 2 ** published)
    }
  }
  const ended = Promise.all([phone(), publisher()])
  ended.catch(() => {})
  return {
    async stop() {
      isStopped = true
      await ended
      return published
    },
  }
}

for (const database of databases) {
  describe(`a backup of a running installation on ${database.name}`, async () => {
    test('holds all that was acknowledged before, and is restored elsewhere', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'drill-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const backup = join(folder, 'backup')
      const passphrase = join(folder, 'passphrase')
      writeFileSync(passphrase, 'two boats on a quiet lake\n')
      const source = await openTarget(t, database)
      mkdirSync(join(source.settings.DATA_DIR, 'maps'), { recursive: true })
      writeFileSync(join(source.settings.DATA_DIR, 'maps/lake.pmtiles'), MAP)
      const server = await source.start()
      const operator = createBrowser(server.url)
      const told = await tell(server, operator)
      const before = await ask(server, told, operator)
      const growing: Growing = {
        id: await trackRequests(sender(server.url, server.token)).create(),
        sent: 0,
        acknowledged: 0,
      }
      const busy = keepBusy(server, growing)
      while (growing.sent < 50) await wait(10)
      growing.acknowledged = growing.sent - 10

      const created = await source.admin('backup', 'create', backup, '--passphrase-file', passphrase)
      const published = await busy.stop()
      assert.deepEqual([created.exitCode, created.stderr], [0, ''])
      await server.stop('SIGKILL')
      rmSync(source.settings.DATA_DIR, { recursive: true })

      t.diagnostic(`${growing.sent} points sent and ${published} documents published meanwhile`)
      const target = await openTarget(t, database)
      const restored = await target.admin('backup', 'restore', backup, '--passphrase-file', passphrase)
      assert.deepEqual([restored.exitCode, restored.stderr], [0, ''])
      const again = { ...(await target.start()), token: server.token, apiKey: server.apiKey }
      const browser = createBrowser(again.url)
      const old = Object.assign(createBrowser(again.url), { cookie: operator.cookie })
      assert.equal((await old.request('GET', '/operator/session')).status, 401)
      await answer(await browser.request('POST', '/operator/session', { name: 'operator', password: PASSWORD }), 200)
      assert.deepEqual(await ask(again, told, browser), before)
      await checkGrowing(again, growing)
      await checkPublished(again)
      assert.deepEqual(await readFile(join(target.settings.DATA_DIR, 'maps/lake.pmtiles')), MAP)
      assert.deepEqual(errorsLogged(again), [])
    })
  })
}

/** The restored track has all points acknowledged before the backup began, and of the others the first ones. */
async function checkGrowing(server: RunningInstallation, { id, sent, acknowledged }: Growing): Promise<void> {
  const requests = trackRequests(sender(server.url, server.token))
  const { points_count } = await requests.read(id)
  assert(points_count >= acknowledged && points_count <= sent, `${acknowledged} ≤ ${points_count} ≤ ${sent}`)
  const { points } = await requests.points(id, '?limit=5000')
  const expected = makePoints(points.length).map(({ timestamp }) => timestamp)
  assert.deepEqual(
    points.map(({ timestamp }) => timestamp),
    expected,
  )
}

/** Whatever was published in the middle of the backup is whole, or becomes so. */
async function checkPublished(server: RunningInstallation): Promise<void> {
  const requests = { url: server.url, request: sender(server.url, server.apiKey) }
  const listed = await answer<{ slug: string; title: string }[]>(await requests.request('GET', '/publications'), 200)
  for (const { slug, title } of listed.filter((publication) => publication.title.startsWith('Meanwhile'))) {
    assert.equal((await untilRendered(requests, slug)).status, 'ready', title)
    const file = await fetch(`${server.url}/publications/${slug}/download`)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), numberedPages(1))
  }
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
