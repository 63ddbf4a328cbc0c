import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { LibraryFigures } from '../../src/publications/figures/schemas.ts'
import type { LibraryPage } from '../../src/publications/library/library-schemas.ts'
import type { OperatorPublication } from '../../src/publications/library/publication-schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePdf, showText } from '../support/make-pdf.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { startLibrary } from '../support/operator-library.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { untilRendered } from '../support/publish.ts'
import { storePublication } from '../support/store-publication.ts'

describeOn(databases, "an operator's library", async (database, once) => {
  const { service, browser, ask, createWorkspace, publish, upload } = await startLibrary({ after }, database)

  const { db } = service.server.publications!.deps

  const listIn = async (workspaceId: string, query = '') =>
    await ask<LibraryPage>(200, 'GET', `/operator/workspaces/${workspaceId}/publications${query}`)
  const titlesIn = async (workspaceId: string, query = '') =>
    (await listIn(workspaceId, query)).publications.map(({ title }) => title)

  /** Creates a workspace with publications of these titles, in this order, one second apart. */
  async function libraryOf(...titles: string[]) {
    const { id } = await createWorkspace()
    for (const [at, title] of titles.entries()) {
      const { id: publicationId, slug } = await publish(id, title)
      await untilRendered(service, slug)
      const times = { created_at: 1000 * at, updated_at: 1000 * (titles.length - at) }
      await db.updateTable('publications').set(times).where('id', '=', publicationId).execute()
    }
    return id
  }

  once('turns a file uploaded by the dashboard into a publication with a cover', async () => {
    const { id } = await createWorkspace()

    const created = await publish(id, ' Annual report ')

    assert.equal(created.title, 'Annual report')
    assert.equal(created.workspace.id, id)
    const { publications, total } = await listIn(id)
    assert.deepEqual([publications.map(({ slug }) => slug), total], [[created.slug], 1])
    const cover = await browser.request('GET', publications[0].cover)
    assert.equal(cover.headers.get('content-type'), 'image/webp')
    assert.equal(Buffer.from(await cover.arrayBuffer()).toString('latin1', 8, 12), 'WEBP')
  })

  test('sorts by state, pages, size and views, in both orders and page by page', async () => {
    const { id } = await createWorkspace()
    const given = { workspace_id: id, created_at: 1, updated_at: 1 }
    const [long, short, draft] = [
      await storePublication(service, { title: 'Long', pageCount: 9, publication: given, version: { size: 10 } }),
      await storePublication(service, {
        title: 'Short',
        publication: { ...given, access: 'unlisted' },
        version: { size: 30 },
      }),
      await storePublication(service, {
        title: 'Draft',
        pageCount: 4,
        publication: { ...given, unpublished_at: 1, published_at: null },
        version: { size: 20 },
      }),
    ]
    const day = new Date().toISOString().slice(0, 10)
    const viewed = (publication: { id: string }, amount: number) =>
      ({ publication_id: publication.id, kind: 'views', page: 0, day, amount }) as const
    await db
      .insertInto('reading_figures')
      .values([viewed(long, 3), viewed(draft, 7)])
      .execute()
    const sorted = async (sort: string, order: string) => {
      const titles: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const page = await listIn(id, `?sort=${sort}&order=${order}&limit=2${from}`)
        titles.push(...page.publications.map(({ title }) => title))
        cursor = page.next_cursor
      }
      return titles.join(' ')
    }

    assert.equal(await sorted('pages', 'asc'), 'Short Draft Long')
    assert.equal(await sorted('size', 'desc'), 'Short Draft Long')
    assert.equal(await sorted('state', 'asc'), 'Draft Long Short')
    assert.equal(await sorted('views', 'desc'), 'Draft Long Short')
    assert.equal(await sorted('views', 'asc'), 'Short Long Draft')
    const wrong = await browser.request('GET', `/operator/workspaces/${id}/publications?sort=views&cursor=x`)
    await readProblem(wrong, 400, 'BAD_REQUEST')
    await db.updateTable('publications').set({ deleted_at: 1 }).where('id', '=', short.id).execute()
    assert.equal(await sorted('views', 'desc'), 'Draft Long')
  })

  test('finds texts, too, within the filters, and counts what it finds', async () => {
    const { id } = await createWorkspace()
    const pdf = (text: string) => makePdf({ pages: [{ content: showText(text) }] })
    const plan = await publish(id, 'Plan', pdf('A caf\\351 by the lake'))
    const other = await publish(id, 'Café', pdf('Something else'))
    const draft = await publish(id, 'Notes', pdf('Another cafe'))
    for (const { slug } of [plan, other, draft]) await untilRendered(service, slug)
    await ask(200, 'POST', `/operator/publications/${draft.id}/unpublish`)

    const found = await listIn(id, '?q=CAFE&texts=true&sort=title')

    assert.deepEqual(
      found.publications.map(({ title }) => title),
      ['Café', 'Notes', 'Plan'],
    )
    assert.equal(found.total, 3)
    assert.deepEqual(await titlesIn(id, '?q=cafe'), ['Café'])
    assert.deepEqual(await titlesIn(id, '?q=cafe&texts=true&visibility=visible&sort=title'), ['Café', 'Plan'])
    assert.deepEqual(await titlesIn(id, '?q=nowhere&texts=true'), [])
  })

  test('names publications of the workspace with the same file, and none of others', async () => {
    const [{ id }, elsewhere] = [await createWorkspace(), await createWorkspace()]
    const pdf = numberedPages(2)
    const first = await publish(id, 'First', pdf)
    await publish(elsewhere.id, 'Elsewhere', pdf)
    await publish(id, 'Another', numberedPages(3))

    const again = await publish(id, 'Again', pdf)

    assert.deepEqual(again.identical_to, [{ id: first.id, slug: first.slug, title: 'First' }])
    assert.deepEqual(first.identical_to, [])
    await ask(204, 'DELETE', `/operator/publications/${first.id}`)
    const { identical_to } = await ask<OperatorPublication>(200, 'GET', `/operator/publications/${again.id}`)
    assert.deepEqual(identical_to, [])
  })

  test('sums the figures of all publications of a period, also as CSV that no spreadsheet runs', async () => {
    const { id } = await createWorkspace()
    const publication = { workspace_id: id }
    const a = await storePublication(service, { title: '=1+1', slug: 'formula', publication })
    const b = await storePublication(service, { title: 'B, "quoted"', slug: 'quoted', publication })
    const figure = (publication_id: string, kind: 'views' | 'seconds' | 'page', day: string, amount: number) => ({
      publication_id,
      kind,
      page: kind === 'page' ? 1 : 0,
      day,
      amount,
    })
    await db
      .insertInto('reading_figures')
      .values([
        figure(a.id, 'views', '2026-05-01', 2),
        figure(a.id, 'views', '2026-05-03', 3),
        figure(a.id, 'page', '2026-05-03', 9),
        figure(b.id, 'views', '2026-05-03', 7),
        figure(b.id, 'seconds', '2026-05-03', 60),
        figure(b.id, 'views', '2026-06-01', 100),
      ])
      .execute()
    const path = `/operator/workspaces/${id}/figures?from=2026-05-01&to=2026-05-31`

    const { publications, total } = await ask<LibraryFigures>(200, 'GET', path)
    const csv = await browser.request('GET', `${path}&format=csv`)

    assert.deepEqual(
      publications.map(({ slug, views }) => [slug, views]),
      [
        ['quoted', 7],
        ['formula', 5],
      ],
    )
    assert.deepEqual(total, { views: 12, readers: 0, downloads: 0, seconds: 60 })
    assert.match(csv.headers.get('content-disposition')!, /attachment/)
    const lines = [
      'title,slug,views,readers,downloads,seconds',
      '"B, ""quoted""",quoted,7,0,0,60',
      "'=1+1,formula,5,0,0,0",
      '',
    ]
    assert.equal((await csv.text()).replace('\ufeff', ''), lines.join('\r\n'))
    await readProblem(await browser.request('GET', path.replace('05-31', '04-01')), 400, 'BAD_REQUEST')
  })

  once('lets the browser keep a cover for a minute, and asks for it again afterwards', async () => {
    const { id } = await createWorkspace()
    await publish(id, 'Annual report')
    const { publications } = await listIn(id)

    const cover = await browser.request('GET', publications[0].cover)
    const etag = cover.headers.get('etag')!
    const again = await browser.request('GET', publications[0].cover, undefined, { 'If-None-Match': etag })

    assert.equal(cover.headers.get('cache-control'), 'private, max-age=60, must-revalidate')
    assert.deepEqual([again.status, await again.text()], [304, ''])
  })

  test('answers 409 with the slug for an upload that is already published', async () => {
    const { id } = await createWorkspace()
    const file = await upload(id)
    const create = () => browser.request('POST', `/operator/workspaces/${id}/publications`, { title: 'Once', ...file })
    const { slug } = (await (await create()).json()) as OperatorPublication

    const again = await readProblem(await create(), 409, 'CONFLICT')

    assert.equal((again as unknown as { slug: string }).slug, slug)
  })

  once('answers 422 to a file that is not a PDF, and creates nothing', async () => {
    const { id } = await createWorkspace()
    const ticket = await ask<{ uploadUrl: string }>(200, 'POST', `/operator/workspaces/${id}/upload-url`, {})

    const headers = { 'Content-Type': 'application/pdf' }
    const response = await fetch(ticket.uploadUrl, { method: 'PUT', headers, body: 'a letter' })

    await readProblem(response, 422, 'UNPROCESSABLE')
    const body = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2000)])
    const photo = await readProblem(
      await fetch(ticket.uploadUrl, { method: 'PUT', headers, body }),
      422,
      'UNPROCESSABLE',
    )
    assert.match(photo.detail, /not a PDF but an image \(jpeg\)/)
    assert.equal((await listIn(id)).total, 0)
  })

  test('answers 404 for an upload of another workspace', async () => {
    const [one, other] = [await createWorkspace(), await createWorkspace()]
    const file = await upload(one.id)

    const response = await browser.request('POST', `/operator/workspaces/${other.id}/publications`, {
      title: 'Not theirs',
      ...file,
    })

    await readProblem(response, 404, 'NOT_FOUND')
  })

  test('is searched by title and slug, ignoring case and accents', async () => {
    const id = await libraryOf('Rapport d’été', 'Annual report', '100 % _sure_')
    await ask(200, 'PATCH', `/operator/publications/${(await listIn(id)).publications[2].id}`, {
      title: 'Rapport d’Été',
      slug: `sommer-${id.slice(0, 8)}`,
    })

    assert.deepEqual(await titlesIn(id, '?q=ETE'), ['Rapport d’Été'])
    assert.deepEqual(await titlesIn(id, '?q=Sommer'), ['Rapport d’Été'])
    assert.deepEqual(await titlesIn(id, '?q=%25'), ['100 % _sure_'])
    assert.deepEqual(await titlesIn(id, '?q=a_n'), [])
  })

  test('is filtered by status and by visibility', async () => {
    const id = await libraryOf('Public', 'Withdrawn')
    const [withdrawn] = (await listIn(id)).publications
    await storePublication(service, {
      title: 'In the making',
      slug: `making-${id}`,
      publication: { workspace_id: id, created_at: 0 },
      version: { status: 'processing' },
    })

    await ask(200, 'POST', `/operator/publications/${withdrawn.id}/unpublish`)

    assert.deepEqual(await titlesIn(id, '?unpublished=true'), ['Withdrawn'])
    assert.deepEqual(await titlesIn(id, '?unpublished=false&status=ready'), ['Public'])
    assert.deepEqual(await titlesIn(id, '?status=processing'), ['In the making'])
    assert.equal((await listIn(id, '?status=ready&limit=1')).total, 2)
  })

  test('is filtered by what times and publishers have made of each', async () => {
    const id = await libraryOf('Visible', 'Scheduled', 'Expired', 'Unpublished')
    const idOf = async (title: string) =>
      (await listIn(id)).publications.find((publication) => publication.title === title)!.id
    const patch = async (title: string, body: object) =>
      await ask(200, 'PATCH', `/operator/publications/${await idOf(title)}`, body)
    await patch('Scheduled', { publish_at: '2999-01-01T00:00:00Z' })
    await patch('Expired', { publish_at: '2000-01-01T00:00:00Z', expires_at: '2001-01-01T00:00:00Z' })
    await ask(200, 'POST', `/operator/publications/${await idOf('Unpublished')}/unpublish`)

    for (const state of ['visible', 'scheduled', 'expired', 'unpublished']) {
      const { publications } = await listIn(id, `?visibility=${state}`)
      assert.deepEqual(
        publications.map(({ title, visibility }) => [title.toLowerCase(), visibility]),
        [[state, state]],
      )
    }
  })

  test('is sorted by creation, change and title, in both directions, over several pages', async () => {
    const id = await libraryOf('Zebra', 'apple', 'Mango')
    await ask(200, 'PATCH', `/operator/publications/${(await listIn(id, '?sort=created')).publications[0].id}`, {
      title: 'mango',
    })

    const orders = { created: 'mango apple Zebra', updated: 'mango Zebra apple' }
    for (const [sort, titles] of Object.entries(orders)) {
      assert.equal((await titlesIn(id, `?sort=${sort}`)).join(' '), titles)
      assert.equal((await titlesIn(id, `?sort=${sort}&order=asc`)).join(' '), titles.split(' ').reverse().join(' '))
      assert.deepEqual(await pagesOf(id, sort), titles.split(' '))
    }
  })

  async function pagesOf(id: string, sort: string): Promise<string[]> {
    const titles: string[] = []
    for (let cursor = ''; ; ) {
      const page = await listIn(id, `?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`)
      titles.push(...page.publications.map(({ title }) => title))
      if (page.next_cursor === null) return titles
      cursor = page.next_cursor
    }
  }

  test('sorts titles ignoring case and accents', async () => {
    const { id } = await createWorkspace()
    for (const title of ['Zebra', 'apple', 'Éclair']) await publish(id, title)

    assert.deepEqual(await titlesIn(id, '?sort=title'), ['apple', 'Éclair', 'Zebra'])
    assert.deepEqual(await pagesOf(id, 'title'), ['apple', 'Éclair', 'Zebra'])
  })

  once('refuses a cursor of another order, and limits above 200', async () => {
    const id = await libraryOf('One', 'Two')
    const { next_cursor } = await listIn(id, '?limit=1')
    const path = `/operator/workspaces/${id}/publications`

    for (const cursor of [next_cursor, 'bm9uZQ', 'x']) {
      const response = await browser.request('GET', `${path}?sort=updated&cursor=${cursor}`)
      assert.deepEqual(await wrongPlaces(response), ['cursor'])
    }
    assert.deepEqual(await wrongPlaces(await browser.request('GET', `${path}?limit=201`)), ['limit'])
  })
})
