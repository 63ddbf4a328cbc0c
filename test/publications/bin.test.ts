import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { keptPublications } from '../../src/publications/model/backup.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answer, publishPdf, sendAs, untilRendered, uploadPdf, type WirePublication } from '../support/publish.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'

type Bin = { days: number; publications: { id: string; title: string; slug: string; page_count: number }[] }

const DAY_MS = 86_400_000

describeOn(databases, 'the bin of a workspace', async (database, once) => {
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const service = await startService({ after }, database, { signedIn: true, now })
  const { answer: ask, operator, workspaceId } = service
  const { deps } = service.server.publications!
  const readBin = (id = workspaceId) => ask<Bin>(200, 'GET', `/operator/workspaces/${id}/bin`)
  const binned = async (id: string) => (await readBin()).publications.find((one) => one.id === id)
  const remove = (id: string) => ask(204, 'DELETE', `/operator/publications/${id}`)
  const restore = (id: string) => operator.request('POST', `/operator/bin/publications/${id}/restore`)
  const read = (path: string) => fetch(new URL(path, service.url), { redirect: 'manual' })

  async function publishRendered(title: string): Promise<WirePublication> {
    const { slug } = await publishPdf(service, { title, path: `${title}.pdf` })
    const rendered = await untilRendered(service, slug)
    while ((await deps.versions.countWaiting()) > 0) await wait(20)
    return rendered
  }

  /** Returns the files that the publication has in backups, and in the store. */
  async function filesOf(id: string): Promise<[kept: string[], stored: string[]]> {
    const kept: string[] = []
    for (const list of Object.values(keptPublications.blobs))
      for await (const { key, subjectId } of list(deps.db as never, '')) if (subjectId === id) kept.push(key)
    const stored: string[] = []
    for await (const { key } of deps.blobs.list()) if (kept.includes(key)) stored.push(key)
    return [[...new Set(kept)].sort(), stored.sort()]
  }

  test('serves a publication to nobody, and gives it back as it was, at every address', async () => {
    const { id, slug } = await publishRendered('Lake')
    const changed = await service.request('PATCH', `/publications/${slug}`, { slug: 'lake-2026' })
    assert.equal(changed.status, 200)
    const link = await ask<{ url: string }>(201, 'POST', `/operator/publications/${id}/links`, { name: 'Board' })
    const { url } = await ask<{ url: string }>(200, 'GET', '/publications/lake/pdf')
    const { images } = await ask<{ images: string[] }>(200, 'GET', '/publications/lake/images')
    const places = ['', '/pdf', '/images', '/events', '/pages/1', '/search?q=page', '/iiif/manifest.json']
    const pages = ['/p/lake-2026', '/p/lake-2026/embed', '/p/lake-2026/text/1', '/oembed?url=', link.url, url]
    const addresses = [...places.map((place) => `/publications/lake-2026${place}`), ...pages, ...images].map((one) =>
      one.endsWith('url=') ? `${one}${encodeURIComponent(`${service.url}/p/lake-2026`)}` : one,
    )
    const statuses = async () => {
      const found: number[] = []
      for (const address of addresses) {
        const response = await read(address)
        found.push(response.status)
        await response.body?.cancel()
      }
      return found
    }
    const own = () => ask<WirePublication>(200, 'GET', `/operator/publications/${id}`)
    const [before, open] = [await own(), await statuses()]
    assert.ok(
      open.every((status) => status < 400),
      open.join(),
    )
    const files = await filesOf(id)

    await remove(id)

    const found = await binned(id)
    assert.deepEqual([found?.title, found?.slug, found?.page_count], ['Lake', 'lake-2026', 1])
    assert.equal((await readBin()).days, 7)
    assert.deepEqual(
      await statuses(),
      addresses.map(() => 404),
    )
    for (const known of [`/publications/${slug}`, '/publications/lake-2026/links', `/operator/publications/${id}`])
      await readProblem(await service.request('GET', known), 404, 'NOT_FOUND')
    await readProblem(await service.request('DELETE', '/publications/lake-2026'), 404, 'NOT_FOUND')
    assert.doesNotMatch(await (await service.request('GET', '/publications')).text(), /lake-2026/)
    assert.doesNotMatch(await (await read('/sitemap.xml')).text(), /lake-2026/)
    await deps.deletionWorker.sweep()
    assert.deepEqual(await filesOf(id), files)

    assert.equal((await restore(id)).status, 204)

    const { updated_at, ...restored } = await own()
    const { updated_at: changedBefore, ...same } = before
    assert.deepEqual(restored, same)
    assert.ok(updated_at > changedBefore)
    assert.deepEqual(await statuses(), open)
    assert.equal(await binned(id), undefined)
    await readProblem(await restore(id), 404, 'NOT_FOUND')
  })

  test('keeps slug, path and file of a publication for it, and names it in no error', async () => {
    const upload = await uploadPdf(service, { title: 'Kept', path: 'kept.pdf' })
    const sent = { 'Idempotency-Key': 'kept' }
    const create = () => service.request('POST', '/publications', upload, sent)
    const { id } = await answer<WirePublication>(await create(), 201)
    await remove(id)

    await readProblem(await service.request('POST', '/publications', upload), 404, 'NOT_FOUND')
    await readProblem(await create(), 410, 'GONE')
    const ticket = { type: 'pdf', path: 'kept.pdf' }
    await readProblem(await service.request('POST', '/publications/upload-url', ticket), 409, 'CONFLICT')
    const { slug } = await publishPdf(service, { title: 'Kept' })

    assert.equal(slug, 'kept-2')
    assert.equal((await restore(id)).status, 204)
    assert.equal((await ask<WirePublication>(200, 'GET', '/publications/kept')).id, id)
  })

  once('renders on what is restored before it was rendered', async () => {
    const { id, slug } = await publishPdf(service, { title: 'Half', pages: 30 })
    await remove(id)
    const row = await deps.db.selectFrom('versions').select('has_work').where('publication_id', '=', id).execute()
    assert.ok(row.every(({ has_work }) => has_work !== 1))

    assert.equal((await restore(id)).status, 204)

    assert.equal((await untilRendered(service, slug)).pages_ready, 30)
  })

  once('loses a publication for good when somebody says so, and by the key of a program', async () => {
    const [erased, keyed] = [await publishRendered('Erased'), await publishRendered('Keyed')]
    const [[files]] = [await filesOf(erased.id)]
    assert.ok(files.length > 1)
    await remove(erased.id)

    await ask(204, 'DELETE', `/operator/bin/publications/${erased.id}`)
    assert.equal((await service.request('DELETE', `/publications/${keyed.slug}`)).status, 204)

    assert.deepEqual((await readBin()).publications, [])
    for (const { id } of [erased, keyed]) await readProblem(await restore(id), 404, 'NOT_FOUND')
    await readProblem(await operator.request('DELETE', `/operator/bin/publications/${erased.id}`), 404, 'NOT_FOUND')
    await deps.deletionWorker.sweep()
    for await (const { key } of deps.blobs.list()) assert.ok(!files.includes(key), key)
    assert.equal((await publishPdf(service, { title: 'Erased', path: 'Erased.pdf' })).slug, 'erased')
  })

  test('is emptied once the days are over', async () => {
    const { id } = await publishRendered('Old')
    await remove(id)
    aheadMs = 6 * DAY_MS
    await deps.bin.endDue()
    assert.ok(await binned(id))

    aheadMs = 8 * DAY_MS
    await deps.bin.endDue()
    await deps.deletionWorker.sweep()
    aheadMs = 0

    assert.equal(await binned(id), undefined)
    await readProblem(await restore(id), 404, 'NOT_FOUND')
    assert.deepEqual(await deps.db.selectFrom('publications').select('id').where('id', '=', id).execute(), [])
    assert.deepEqual(await deps.db.selectFrom('versions').select('id').where('publication_id', '=', id).execute(), [])
  })

  test('counts for no limit of publications, and restores within it', async () => {
    const { id: limited, api_key: apiKey } = await service.createWorkspace('Limited')
    await ask(200, 'PATCH', `/operator/workspaces/${limited}`, { max_publications: 1 })
    const first = await publishPdf(service, { title: 'First', apiKey })
    await remove(first.id)
    const second = await publishPdf(service, { title: 'Second', apiKey })

    await readProblem(await restore(first.id), 403, 'FORBIDDEN')
    await sendAs(service, apiKey)('DELETE', `/publications/${second.slug}`)
    assert.equal((await restore(first.id)).status, 204)
  })

  test('shows an operator what is within reach alone, and ends with its workspace', async () => {
    const { id: elsewhere, api_key: apiKey } = await service.createWorkspace('Elsewhere')
    const [own, foreign] = [await publishPdf(service), await publishPdf(service, { apiKey })]
    for (const { id } of [own, foreign]) await remove(id)
    const editor = await signIn(service, { role: 'editor', limitedTo: { events: [], workspaces: [elsewhere] } })

    const status = async (method: string, path: string) => (await editor.request(method, path)).status
    assert.equal(await status('GET', `/operator/workspaces/${workspaceId}/bin`), 404)
    assert.equal(await status('GET', `/operator/workspaces/${elsewhere}/bin`), 200)
    assert.equal(await status('POST', `/operator/bin/publications/${own.id}/restore`), 404)
    assert.equal(await status('POST', `/operator/bin/publications/${foreign.id}/restore`), 204)
    await remove(foreign.id)
    await deps.workspaces.end(elsewhere, Date.now())
    await readProblem(await restore(foreign.id), 404, 'NOT_FOUND')
    await deps.deletionWorker.sweep()
    aheadMs = DAY_MS
    await deps.deletionWorker.sweep()
    aheadMs = 0

    const rows = deps.db.selectFrom('publications').select('id').where('workspace_id', '=', elsewhere)
    assert.deepEqual(await rows.execute(), [])
    assert.ok(await binned(own.id))
  })

  once('is switched off by BIN_DAYS=0', async (t) => {
    const without = await startService(t, database, { signedIn: true, settings: { BIN_DAYS: '0' } })
    const { id } = await publishPdf(without)

    await without.answer(204, 'DELETE', `/operator/publications/${id}`)

    const path = `/operator/workspaces/${without.workspaceId}/bin`
    assert.deepEqual(await without.answer<Bin>(200, 'GET', path), { days: 0, publications: [] })
    await readProblem(await without.request('POST', `/operator/bin/publications/${id}/restore`), 404, 'NOT_FOUND')
  })
})
