import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, describe, test } from 'node:test'
import type { HttpServer } from '#platform/http/http-server.ts'
import { deletePublication } from '../../src/publications/model/bin-store.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { annotated } from '../support/make-pdf-examples.ts'
import { wrongPlaces } from '../support/problem.ts'
import { answer, askForTicket, publishPdf, untilRendered, type WirePublication } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

/** Addresses of a publication that a reader holds. */
type Held = { slug: string; former: string; image: string; file: string }

/** A request for something of a publication: GET, or POST with a body. */
type Asked = string | { path: string; body: object }

/** Routes that serve something of a publication to readers; a new one belongs here or below. */
const SERVING: Record<string, (held: Held, site: string) => Asked> = {
  'GET /publications/:slug': ({ slug }) => `/publications/${slug}`,
  'GET /publications/:slug/pdf': ({ former }) => `/publications/${former}/pdf`,
  'GET /publications/:slug/images': ({ slug }) => `/publications/${slug}/images`,
  'GET /publications/:slug/download': ({ slug }) => `/publications/${slug}/download`,
  'GET /publications/:slug/attachments/:id': ({ slug }) => `/publications/${slug}/attachments/1`,
  'GET /publications/:slug/events': ({ slug }) => `/publications/${slug}/events`,
  'GET /publications/:slug/pages/:page': ({ slug }) => `/publications/${slug}/pages/1`,
  'GET /publications/:slug/search': ({ slug }) => `/publications/${slug}/search?q=Page`,
  'POST /publications/:slug/reading': ({ slug }) => ({
    path: `/publications/${slug}/reading`,
    body: { pages: [1], seconds: 1 },
  }),
  'GET /publications/:slug/iiif/manifest.json': ({ slug }) => `/publications/${slug}/iiif/manifest.json`,
  'GET /oembed': ({ slug }, site) => `/oembed?url=${encodeURIComponent(`${site}/p/${slug}`)}`,
  'GET /files/:versionId': ({ file }) => file,
  'GET /images/:versionId/:name': ({ image }) => image,
  'GET /images/:versionId/:name/:file': ({ image }) => `${image}/600.webp`,
  'GET /images/:versionId/:name/info.json': ({ image }) => `${image}/info.json`,
  'GET /images/:versionId/:name/full/:size/0/default.jpg': ({ image }) => `${image}/full/max/0/default.jpg`,
  'GET /p/:slug': ({ slug }) => `/p/${slug}?q=Page`,
  'GET /p/:slug/': ({ former }) => `/p/${former}/`,
  'GET /p/:slug/embed': ({ slug }) => `/p/${slug}/embed`,
  'GET /p/:slug/text/:page': ({ slug }) => `/p/${slug}/text/1`,
}

/** Routes that list publications for everyone. */
const LISTING = [
  'GET /sitemap.xml',
  'GET /sitemaps/:file',
  'GET /w/:slug',
  'GET /w/:slug/',
  'GET /w/:slug/feed.xml',
  'GET /w/:slug/sitemap.xml',
  'GET /w/:slug/c/:collection',
  'GET /w/:slug/c/:collection/feed.xml',
]

/** Routes that serve or change something of a publication with the key of its workspace. */
const KEYED =
  /^\w+ \/(publications(\/(upload-url|webhooks.*))?$|publications\/:slug\/(links|versions|offline)|collections)|^(PATCH|PUT|DELETE|POST) \/publications\/:slug/

/** Routes that take the signed address of an upload. */
const UPLOADS = /^\w+ \/uploads\/:storageKey$/

/** Routes that serve nothing of a publication. */
const OTHER =
  /^\w+ (\/publications\.openapi\.json|\/p\/_\/.*|\/p\/\*|\/p\/:slug\/password|\/robots\.txt|\/w|\/w\/\*|\/w\/:slug\/(:file|robots\.txt))$/

/** Every rule that a publication may have, each in place of all others. */
const RULES: Record<string, object> = {
  public: {},
  unlisted: { access: 'unlisted' },
  restricted: { access: 'restricted' },
  'with a password': { password: 'a quiet lake' },
  'without its PDF': { allow_download: false },
  scheduled: { publish_at: '2999-05-03T08:00:00Z' },
  ended: { expires_at: '2020-05-03T08:00:00Z' },
  unpublished: {},
}
const NO_RULE = { access: 'public', password: null, allow_download: true, publish_at: null, expires_at: null }

/** Routes of other parts of the server. */
const ELSEWHERE = /^\w+ (\*|\/|\/(?!publications|p\/|w$|w\/|collections|images|files|uploads|oembed|sitemap|robots).*)$/

describeOn(databases, 'who may read a publication', async (database, once) => {
  const routes = new Set<string>()
  const watch = (message: unknown) =>
    void (message as { fastify: HttpServer }).fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) routes.add(`${name} ${url}`)
    })
  subscribe('fastify.initialization', watch)
  let aheadMs = 0
  const startMs = Date.now()
  const now = () => startMs + aheadMs
  const service = await startService({ after }, database, { services: ['publications'], now })
  unsubscribe('fastify.initialization', watch)

  const change = async <Answer>(slug: string, body: object) =>
    await answer<Answer>(await service.request('PATCH', `/publications/${slug}`, body), 200)
  const ask = async (asked: Asked, method?: string, token?: string) => {
    const { path, body } = typeof asked === 'string' ? { path: asked, body: undefined } : asked
    const holder: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...holder } }
    const init = { redirect: 'manual', method: method ?? (body ? 'POST' : 'GET'), headers: holder, ...sent } as const
    return await fetch(new URL(path, service.url), init)
  }
  /** Requires of each route that serves something this status, or one below 400 for `open`, and what else is told. */
  const assertEach = async (
    held: Held,
    expected: number | 'open' | ((name: string) => number | 'open'),
    also: (response: Response, name: string) => void = () => {},
  ) => {
    for (const [name, requestOf] of Object.entries(SERVING)) {
      const response = await ask(requestOf(held, service.url))
      const status = typeof expected === 'function' ? expected(name) : expected
      if (status === 'open') assert.ok(response.status < 400, `${name}: ${response.status}`)
      else assert.equal(response.status, status, name)
      also(response, name)
      await response.body?.cancel()
    }
  }
  const holdNow = async (slug: string, former: string): Promise<Held> => {
    const { url } = await answer<{ url: string }>(await ask(`/publications/${slug}/pdf`), 200)
    const { images } = await answer<{ images: string[] }>(await ask(`/publications/${slug}/images`), 200)
    return { slug, former, image: images[0], file: url }
  }
  const { id: collection_id } = await answer<{ id: string }>(
    await service.request('POST', '/collections', { name: 'Everything', slug: 'all' }),
    201,
  )
  const publish = async (title: string): Promise<Held> => {
    const { slug: former } = await publishPdf(service, { title, pdf: annotated() })
    await change(former, { slug: `${former}-now`, collection_id })
    await untilRendered(service, former)
    return await holdNow(`${former}-now`, former)
  }
  await service.server.publications!.deps.faces.save(
    service.workspaceId,
    { slug: 'shelf', name: 'Shelf', about: null, website: null, accent_color: null },
    Date.now(),
  )
  /** Everything that lists publications for everyone, searches included. */
  const listings = async () => {
    const paths = [
      '/sitemap.xml',
      '/sitemaps/1.xml',
      '/w/shelf',
      '/w/shelf/feed.xml',
      '/w/shelf/sitemap.xml',
      '/w/shelf?q=Page',
      '/w/shelf?q=now',
      '/w/shelf/c/all',
      '/w/shelf/c/all/feed.xml',
    ]
    const pages = await Promise.all(paths.map(async (path) => await (await ask(path)).text()))
    return pages.join('\n')
  }
  const at = (fromNowMs: number) => new Date(now() + fromNowMs).toISOString()
  const stateOf = async (slug: string) =>
    await answer<WirePublication>(await service.request('PATCH', `/publications/${slug}`, {}), 200)
  const isListed = async (slug: string) => (await listings()).includes(slug)

  /** An answer without what differs between any two answers, and between the slugs of two. */
  const essence = async (response: Response, { slug, former }: Held) => {
    const headers = Object.fromEntries(response.headers)
    for (const name of ['date', 'x-request-id', 'content-length', 'etag']) delete headers[name]
    const text = (await response.text()).replaceAll(slug, 'SLUG').replaceAll(former, 'SLUG')
    return { status: response.status, headers, text: text.replace(/"(request_?id|instance)":"[^"]*"/gi, '') }
  }

  test('every route serves publications by the rules, lists those for everyone, or needs a key or a signature', () => {
    const known = (name: string) =>
      name in SERVING || LISTING.includes(name) || [ELSEWHERE, OTHER, KEYED, UPLOADS].some((one) => one.test(name))
    const unknown = [...routes].filter((name) => !/^(HEAD|OPTIONS) /.test(name) && !known(name))

    assert.deepEqual(unknown, [])
    for (const name of [...Object.keys(SERVING), ...LISTING]) assert.ok(routes.has(name), name)
  })

  once(
    'the routes of owners need the key of the workspace, and uploads their signature, under every rule',
    async () => {
      const { uploadUrl, storageKey, pdfPath } = await askForTicket(service)
      const pdf = { method: 'PUT', headers: { 'content-type': 'application/pdf' }, body: new Uint8Array(annotated()) }
      await answer(await fetch(uploadUrl, pdf), 200)
      const made = { title: 'Hidden words', storageKey, pdfPath, sourceType: 'pdf' }
      const { slug } = await answer<WirePublication>(await service.request('POST', '/publications', made), 201)
      const links = `/publications/${slug}/links`
      const { url } = await answer<{ url: string }>(await service.request('POST', links, { preview: true }), 201)
      const token = new URL(url).searchParams.get('link')!
      const { api_key } = await service.createWorkspace('Others')
      const send = async (name: string, headers: Record<string, string>, search = '') => {
        const [method, route] = name.split(' ')
        const target = service.url + route.replace(':slug', slug).replace(':storageKey', storageKey) + search
        const body = /GET|HEAD|OPTIONS/.test(method) ? {} : { body: '{}' }
        const type = name.startsWith('PATCH /uploads') ? 'application/offset+octet-stream' : 'application/json'
        const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': type }
        const response = await fetch(target, { method, ...body, headers: { ...tus, ...headers } })
        const text = (await response.text()) + JSON.stringify([...response.headers])
        assert.doesNotMatch(text, /Hidden words|hidden-words/, name)
        return response.status
      }
      const keyed = [...routes].filter((name) => KEYED.test(name) && !(name in SERVING) && !name.startsWith('OPTIONS'))
      const uploads = [...routes].filter((name) => UPLOADS.test(name))
      assert.deepEqual([keyed.length > 20, uploads.length], [true, 4])
      const signed = new Set<string>()

      for (const [rule, change] of Object.entries(RULES)) {
        await answer(await service.request('PATCH', `/publications/${slug}`, { ...NO_RULE, ...change }), 200)
        if (rule === 'unpublished') await answer(await service.request('POST', `/publications/${slug}/unpublish`), 200)
        const ask = async (name: string) => {
          const holder = { authorization: `Bearer ${token}`, cookie: `trackpress_link=${token}` }
          const statuses = [await send(name, {}), await send(name, holder, `?link=${token}`)]
          assert.deepEqual(statuses, [401, 401], `${rule}: ${name}`)
          const status = await send(name, { 'x-api-key': api_key })
          if (name.includes(':slug')) assert.match(`${status}`, /^40[04]$/, `${rule}: ${name}`)
        }
        await Promise.all(keyed.filter((name) => rule === 'public' || name.includes(':slug')).map(ask))
        for (const name of uploads.filter((one) => !one.startsWith('OPTIONS')))
          for (const headers of [{}, { authorization: `Bearer ${token}` }, { 'x-api-key': service.apiKey }])
            assert.equal(await send(name, headers as Record<string, string>), 403, `${rule}: ${name}`)
        const answers = uploads.map(async (name) => `${name} ${await send(name, {}, new URL(uploadUrl).search)}`)
        signed.add((await Promise.all(answers)).join())
      }
      assert.equal(signed.size, 1, 'what a ticket answers says nothing of the rules')
    },
  )

  once('everyone reads a public one, which may be kept and listed', async () => {
    const held = await publish('For everyone')

    await assertEach(held, 'open', ({ headers }, name) => {
      if (!name.includes('/files/')) assert.doesNotMatch(headers.get('cache-control') ?? '', /private/, name)
    })
    assert.equal((await listings()).includes(`/p/${held.slug}<`), true)
    for (const path of [
      '/w/shelf',
      '/w/shelf/feed.xml',
      '/w/shelf?q=Page',
      '/w/shelf/c/all',
      '/w/shelf/c/all/feed.xml',
    ])
      assert.ok((await (await ask(path)).text()).includes(`/p/${held.slug}"`), path)
  })

  once('whoever knows the address reads an unlisted one, which is listed and kept nowhere', async () => {
    const before = await publish('Among us')

    await change(before.slug, { access: 'unlisted' })

    const held = await holdNow(before.slug, before.former)
    await assertEach(held, 'open', ({ headers }, name) => {
      assert.match(headers.get('cache-control') ?? 'no-store', /no-store/, name)
      if (/ \/p\//.test(name)) assert.equal(headers.get('x-robots-tag'), 'noindex', name)
    })
    assert.match(await (await ask(`/p/${held.slug}`)).text(), /<meta name="robots" content="noindex">/)
    assert.equal((await listings()).includes(held.slug), false)
    for (const old of [before.image, `${before.image}/600.webp`, before.file])
      assert.equal((await ask(old)).status, 410, 'an address of before')
  })

  once('readers get of a restricted one what they get of an unknown slug', async () => {
    const open = await publish('Behind doors')
    await change(open.slug, { access: 'unlisted' })
    const timed = await holdNow(open.slug, open.former)

    await change(open.slug, { access: 'restricted' })

    const nothing = { slug: 'never-published', former: 'never-published-before' }
    for (const held of [open, timed])
      for (const [name, requestOf] of Object.entries(SERVING))
        for (const method of [undefined, 'HEAD']) {
          const asked = requestOf(held, service.url)
          if (typeof asked !== 'string' && method !== undefined) continue
          const response = await ask(asked, method)
          if (/\/(files|images)\/:/.test(name)) {
            assert.equal(response.status, 404, name)
            assert.equal((await response.text()).includes('Behind doors'), false)
            continue
          }
          const unknown = await ask(requestOf({ ...held, ...nothing }, service.url), method)
          const [mine, theirs] = [await essence(response, held), await essence(unknown, { ...held, ...nothing })]
          assert.deepEqual(mine, theirs, name)
          assert.equal(mine.status, 404, name)
        }
    assert.equal((await listings()).includes(open.slug), false)
  })

  once('an unpublished one is gone, and to readers without access unknown', async () => {
    const held = await publish('Withdrawn')
    await answer(await service.request('POST', `/publications/${held.slug}/unpublish`), 200)

    await assertEach(held, 410)
    await change(held.slug, { access: 'restricted' })
    await assertEach(held, 404)
  })

  once(
    'one in the bin is unknown to all, with its links too, and back at every address once it is restored',
    async () => {
      const held = await publish('Thrown away')
      const { id } = await stateOf(held.slug)
      const { url } = await answer<{ url: string }>(
        await service.request('POST', `/publications/${held.slug}/links`, {}),
        201,
      )
      const token = new URL(url).searchParams.get('link')!
      const { bin, db, uploads } = service.server.publications!.deps
      const owned = { workspaceId: service.workspaceId, slug: held.slug, toBin: true }

      await deletePublication(db, uploads, owned, now())

      for (const [name, requestOf] of Object.entries(SERVING))
        for (const bearer of [undefined, token])
          assert.equal((await ask(requestOf(held, service.url), undefined, bearer)).status, 404, name)
      assert.equal(await isListed(held.slug), false)
      await bin.restore(id)
      await assertEach(held, 'open')
      assert.equal(await isListed(held.slug), true)
    },
  )

  once(
    'readers get of a draft what they get of an unknown slug, also at addresses that a program guesses',
    async () => {
      const { id, slug, visibility } = await publishPdf(service, { title: 'Not out yet', draft: true })
      const [file] = await service.server
        .publications!.deps.db.selectFrom('versions')
        .select(['id', 'sha256'])
        .where('publication_id', '=', id)
        .execute()
      const { fileAddresses, pageAddresses } = service.server.publications!.deps
      const page = { publicationId: id, versionId: file.id, sha256: file.sha256, epoch: 0, page: 1 }
      const held = {
        slug,
        former: slug,
        image: pageAddresses.pathOf(page),
        file: fileAddresses.issue({ versionId: file.id, epoch: 0, isForEveryone: true }, 'inline'),
      }

      assert.equal(visibility, 'draft')
      await assertEach(held, 404)
      assert.equal((await listings()).includes(slug), false)
      await answer(await service.request('POST', `/publications/${slug}/publish`), 200)
      assert.equal((await ask(`/p/${slug}`)).status, 200)
      await answer(await service.request('POST', `/publications/${slug}/unpublish`), 200)
      assert.equal((await ask(`/p/${slug}`)).status, 410)
    },
  )

  test('before its time, one is as an unknown slug, and then everyone reads it without another change', async () => {
    const { slug, visibility } = await publishPdf(service, {
      title: 'Embargoed',
      pdf: annotated(),
      publish_at: at(3_600_000),
    })
    const nothing = { slug: 'never-there', former: 'never-there' }
    const held = { slug, former: slug, image: '/images/x/y', file: '/files/x' }

    assert.equal(visibility, 'scheduled')
    for (const [name, requestOf] of Object.entries(SERVING)) {
      if (/\/(files|images)\/:/.test(name)) continue
      const response = await ask(requestOf(held, service.url))
      const unknown = await ask(requestOf({ ...held, ...nothing }, service.url))
      assert.deepEqual(await essence(response, held), await essence(unknown, { ...held, ...nothing }), name)
    }
    assert.equal(await isListed(slug), false)

    aheadMs += 3_600_000
    await untilRendered(service, slug)
    const open = { ...(await holdNow(slug, slug)) }
    await assertEach(open, 'open')
    assert.deepEqual([(await stateOf(slug)).visibility, await isListed(slug)], ['visible', true])
  })

  test('one that was put off answers nothing at addresses of before, and later gets others', async () => {
    const held = await publish('Put off')

    await change(held.slug, { publish_at: at(3_600_000) })

    await assertEach(held, 404)
    await change(held.slug, { publish_at: null })
    assert.equal((await ask(`/p/${held.slug}`)).status, 200)
    for (const old of [held.image, held.file]) assert.equal((await ask(old)).status, 410)
  })

  test('one with an end is listed, kept in no cache, and gone with all of its addresses from its end on', async () => {
    const lasting = await publish('For a while')

    await change(lasting.slug, { expires_at: at(200_000) })

    const held = await holdNow(lasting.slug, lasting.former)
    for (const old of [lasting.image, `${lasting.image}/600.webp`, lasting.file])
      assert.equal((await ask(old)).status, 410, 'an address of before')
    await assertEach(held, 'open', ({ headers }, name) => {
      assert.match(headers.get('cache-control') ?? 'no-store', /no-store/, name)
      const isHidden = headers.get('x-robots-tag')?.includes('noindex')
      if (!name.includes('/files/')) assert.equal(isHidden, name.includes('/text/') || undefined, name)
    })
    assert.equal(await isListed(held.slug), true)
    const shelf = await (await ask('/w/shelf')).text()
    const covers = [...shelf.matchAll(/\/images\/[\w~./-]+\.(webp|jpg)/g)].map(([cover]) => cover)
    assert.ok(covers.some((cover) => cover.includes(held.image.split('/')[4])))
    for (const cover of covers) assert.equal((await ask(cover)).status, 200)

    aheadMs += 199_000
    assert.deepEqual([(await ask(held.image)).status, (await ask(held.file)).status], [200, 200])
    aheadMs += 1_500
    await assertEach(held, 410)
    assert.deepEqual([(await stateOf(held.slug)).visibility, await isListed(held.slug)], ['expired', false])

    await change(held.slug, { expires_at: null })
    assert.deepEqual([(await ask(`/p/${held.slug}`)).status, await isListed(held.slug)], [200, true])
  })

  test('one that was unpublished before its time is a draft again, and was never withdrawn', async () => {
    const { slug } = await publishPdf(service, { title: 'Called off', publish_at: at(60_000) })

    const { visibility, unpublished_at } = await answer<WirePublication>(
      await service.request('POST', `/publications/${slug}/unpublish`),
      200,
    )

    assert.deepEqual([visibility, unpublished_at], ['draft', null])
    aheadMs += 60_000
    assert.equal((await ask(`/p/${slug}`)).status, 404)
    await answer(await service.request('POST', `/publications/${slug}/publish`), 200)
    assert.equal((await ask(`/p/${slug}`)).status, 200)
  })

  test('a preview link shows one that is scheduled or has ended, and a reader link neither', async () => {
    const { slug } = await publishPdf(service, { title: 'Looked at', publish_at: at(600_000) })
    const tokenOf = async (body: object) => {
      const response = await service.request('POST', `/publications/${slug}/links`, body)
      return new URL((await answer<{ url: string }>(response, 201)).url).searchParams.get('link')
    }
    const [preview, link] = [await tokenOf({ preview: true }), await tokenOf({})]
    const statuses = async () =>
      await Promise.all([preview, link].map(async (token) => (await ask(`/publications/${slug}?link=${token}`)).status))

    assert.deepEqual(await statuses(), [200, 404])
    await change(slug, { publish_at: null, expires_at: at(-1_000) })
    assert.deepEqual(await statuses(), [200, 410])
  })

  test('a time that is none, and an end before the beginning, are refused and change nothing', async () => {
    const { slug } = await publishPdf(service, { title: 'On time', publish_at: at(60_000) })
    const patch = (body: object) => service.request('PATCH', `/publications/${slug}`, body)

    assert.deepEqual(await wrongPlaces(await patch({ publish_at: 'tomorrow' })), ['publish_at'])
    assert.deepEqual(await wrongPlaces(await patch({ title: 'Late', expires_at: at(59_000) })), ['expires_at'])
    const { title, expires_at } = await stateOf(slug)
    assert.deepEqual([title, expires_at], ['On time', null])
  })

  once('one with a password answers nothing but the question for it, and is listed nowhere', async () => {
    const before = await publish('Behind a word')

    const { has_password } = await change<{ has_password: boolean }>(before.slug, { password: 'a quiet lake' })

    assert.equal(has_password, true)
    for (const [name, requestOf] of Object.entries(SERVING)) {
      const response = await ask(requestOf(before, service.url))
      const text = await response.text()
      assert.doesNotMatch(text, /Behind a word|behind a word|Page 1/, name)
      if (/\/(files|images)\/:/.test(name)) assert.equal(response.status, 410, name)
      else if (/ \/p\//.test(name)) assert.match(text, /<form class="password" method="post"/, name)
      else assert.equal((JSON.parse(text) as { reason: string }).reason, 'password_required', name)
      if (!/\/(files|images)\/:/.test(name)) assert.equal(response.status, 401, name)
    }
    assert.equal(await isListed(before.slug), false)
    await change(before.slug, { access: 'restricted' })
    assert.equal((await ask(`/publications/${before.slug}`)).status, 404)
  })

  once('readers of one without its PDF get everything else, and old addresses of the file end at once', async () => {
    const held = await publish('To look at')

    await change(held.slug, { allow_download: false })

    const files = ['GET /publications/:slug/pdf', 'GET /publications/:slug/download', 'GET /files/:versionId']
    files.push('GET /publications/:slug/attachments/:id')
    await assertEach(held, (name) => (files.includes(name) ? 403 : 'open'))
    assert.doesNotMatch(await (await ask(`/p/${held.slug}`)).text(), /\/download|application\/pdf|Download|attachments/)
    await change(held.slug, { allow_download: true })
    assert.equal((await ask(held.file)).status, 200)
  })

  test('the owner lists and changes it under any rule, and access given at creation holds from the start', async () => {
    const { slug } = await publishPdf(service, { title: 'Restricted from the start', access: 'restricted' })

    assert.equal((await ask(`/p/${slug}`)).status, 404)
    const listed = await answer<{ slug: string; access: string }[]>(await service.request('GET', '/publications'), 200)
    assert.equal(listed.find((one) => one.slug === slug)?.access, 'restricted')
    await change(slug, { access: 'public' })
    assert.equal((await ask(`/p/${slug}`)).status, 200)
  })

  once('a request without a change of access ends no address', async () => {
    const held = await publish('Unmoved')

    await change(held.slug, { access: 'public', title: 'Unmoved, renamed' })
    await change(held.slug, { access: null })

    assert.deepEqual([(await ask(held.image)).status, (await ask(held.file)).status], [200, 200])
  })
})

describe('addresses of an unlisted publication', async () => {
  let nowMs = Date.UTC(2026, 4, 3, 8)
  const service = await startService({ after }, databases[0], { services: ['publications'], now: () => nowMs })

  test('end within ten minutes, and the page gives new ones', async () => {
    const { slug } = await publishPdf(service, { title: 'Short-lived addresses', access: 'unlisted' })
    await untilRendered(service, slug)
    const read = async () =>
      await answer<{ images: string[] }>(await fetch(`${service.url}/publications/${slug}/images`), 200)
    const { images } = await read()
    const { url } = await answer<{ url: string }>(await fetch(`${service.url}/publications/${slug}/pdf`), 200)
    const statuses = async () => [(await fetch(images[0])).status, (await fetch(url)).status]

    nowMs += 299_000
    assert.deepEqual(await statuses(), [200, 200])
    nowMs += 302_000
    assert.deepEqual(await statuses(), [410, 410])

    const renewed = await read()
    assert.equal((await fetch(renewed.images[0])).status, 200)
    const page = await (await fetch(`${service.url}/p/${slug}`)).text()
    assert.ok(page.includes(`${new URL(renewed.images[0]).pathname}/1200.jpg`))
    const [altered] = renewed.images.map((address) => address.replace(/~\d+$/, `~${nowMs + 9_000_000}`))
    assert.equal((await fetch(altered)).status, 404)
    assert.equal((await fetch(renewed.images[0].replace(/~\d+$/, ''))).status, 404)
  })
})
