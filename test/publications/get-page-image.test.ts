import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import type { AppError } from '#platform/basics/errors.ts'
import type { ImageMaker } from '../../src/publications/delivery/page-images.ts'
import { createPageImages } from '../../src/publications/delivery/page-images.ts'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { makePdf } from '../support/make-pdf.ts'
import { readProblem } from '../support/problem.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { imageAddresses, readPageImage } from '../support/read-page-image.ts'
import { startService } from '../support/start-service.ts'
import { heldByAnother, storePublication } from '../support/store-publication.ts'

const BROWSER = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

describePublications('Page images', { on: oneDatabase }, async ({ service, database }) => {
  const get = (address: string, headers: Record<string, string> = {}) => fetch(address, { headers })

  async function publish(pages = 1) {
    const { slug } = await publishPdf(service, { pages })
    await untilRendered(service, slug)
    return { slug, addresses: await imageAddresses(service, slug) }
  }

  test('are WebP if Accept names it, else JPEG, and vary by Accept', async () => {
    const { addresses } = await publish()

    const [any, named] = [await get(addresses[0], { accept: '*/*' }), await get(addresses[0], { accept: BROWSER })]

    for (const { status, headers } of [any, named]) assert.deepEqual([status, headers.get('vary')], [200, 'Accept'])
    assert.deepEqual(
      [any, named].map(({ headers }) => headers.get('content-type')),
      ['image/jpeg', 'image/webp'],
    )
    assert.notEqual(any.headers.get('etag'), named.headers.get('etag'))
    const [jpeg, webp] = [await readPageImage(any), await readPageImage(named)]
    assert.deepEqual([jpeg.format, jpeg.width, webp.format, webp.width], ['jpeg', 1200, 'webp', 1200])
  })

  test('have a card for previews of links, with the whole page in it', async () => {
    const pdf = makePdf({ pages: [{ mediaBox: '[0 0 300 600]', content: '1 0 0 rg 0 0 300 600 re f' }] })
    const { slug } = await publishPdf(service, { pdf })
    await untilRendered(service, slug)
    const [address] = await imageAddresses(service, slug)

    const card = await get(`${address}/card.jpg`)
    const again = await get(`${address}/card.jpg`, { 'if-none-match': card.headers.get('etag')! })

    const image = sharp(Buffer.from(await card.arrayBuffer()))
    const { width, height, format } = await image.metadata()
    assert.deepEqual([width, height, format], [1200, 630, 'jpeg'])
    // The page is 285 by 570 pixels large in the middle, and brighter than its ground.
    const { data } = await image.raw().toBuffer({ resolveWithObject: true })
    const redAt = (x: number, y: number) => data[(y * 1200 + x) * 3]
    const [inside, left, right] = [redAt(600, 315), redAt(440, 315), redAt(760, 315)]
    assert.ok(inside > 240 && left < 230 && right < 230, `${inside} ${left} ${right}`)
    assert.ok(redAt(600, 34) > 240 && redAt(600, 20) < 230)
    assert.equal(again.status, 304)
    assert.equal(card.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  })

  test('may be cached permanently and shown on any site, and cannot load or run anything', async () => {
    const { addresses } = await publish()

    const { headers } = await get(addresses[0])

    const expected = {
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'ratelimit-limit': null,
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value, name)
    assert.ok(headers.has('x-request-id'))
  })

  for (const [file, format, width] of [
    ['600.jpg', 'jpeg', 600],
    ['600.webp', 'webp', 600],
    ['1200.webp', 'webp', 1200],
    ['2400.jpg', 'jpeg', 2400],
    ['2400.webp', 'webp', 2400],
  ] as const) {
    test(`are ${file} if the address says so, regardless of Accept`, async () => {
      const { addresses } = await publish()

      const first = await get(`${addresses[0]}/${file}`, { accept: 'image/jpeg' })
      const again = await get(`${addresses[0]}/${file}`, { accept: 'image/jpeg' })

      assert.deepEqual([first.status, first.headers.get('vary')], [200, null])
      const bytes = Buffer.from(await again.arrayBuffer())
      const image = await readPageImage(first.clone())
      assert.deepEqual([image.format, image.width], [format, width])
      assert.deepEqual(Buffer.from(await first.arrayBuffer()), bytes)
    })
  }

  test('support 304, ranges and HEAD', async () => {
    const { addresses } = await publish()
    const whole = await get(addresses[0])
    const bytes = Buffer.from(await whole.arrayBuffer())

    const kept = await get(addresses[0], { 'if-none-match': whole.headers.get('etag')! })
    const part = await get(addresses[0], { range: 'bytes=10-19' })
    const head = await fetch(addresses[0], { method: 'HEAD' })

    assert.equal(kept.status, 304)
    assert.deepEqual([part.status, Buffer.from(await part.arrayBuffer())], [206, bytes.subarray(10, 20)])
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)])
    assert.equal((await head.arrayBuffer()).byteLength, 0)
  })

  test('are rendered on request, ahead of their turn', async () => {
    const { slug } = await publishPdf(service, { pages: 120 })
    const addresses = await imageAddresses(service, slug)

    const [last, webp] = await Promise.all([get(addresses[119]), get(addresses[118], { accept: 'image/webp' })])
    const { pages_ready } = (await (await service.request('GET', `/publications/${slug}`)).json()) as {
      pages_ready: number
    }

    assert.deepEqual([(await readPageImage(last)).format, (await readPageImage(webp)).format], ['jpeg', 'webp'])
    assert.ok(pages_ready < 120, `${pages_ready} pages were rendered`)
    await service.request('DELETE', `/publications/${slug}`)
  })

  test('are JPEG for browsers that ask for WebP while pages are being rendered', async () => {
    const { slug } = await publishPdf(service, { pages: 50 })
    const [first] = await imageAddresses(service, slug)

    const meanwhile = await Promise.all(
      ['', '/1200.webp', '/600.webp'].map((form) => get(`${first}${form}`, { accept: BROWSER })),
    )
    await untilRendered(service, slug)
    const afterwards = await get(`${first}/600.webp`, { accept: BROWSER })

    for (const image of meanwhile) {
      assert.equal(image.headers.get('cache-control'), 'private, max-age=10')
      assert.equal(image.headers.get('vary'), 'Accept')
      assert.deepEqual((await readPageImage(image)).format, 'jpeg')
      assert.equal(image.headers.get('content-type'), 'image/jpeg')
    }
    assert.deepEqual((await readPageImage(afterwards)).format, 'webp')
    assert.match(afterwards.headers.get('cache-control') ?? '', /immutable/)
  })

  test('answer 404 for an altered address or an unknown image', async () => {
    const { addresses } = await publish(2)
    const [one, two] = addresses
    const altered = [
      two.replace('/0-2-', '/0-1-'),
      one.replace('/0-1-', '/1-1-'),
      `${one.slice(0, -1)}${one.endsWith('A') ? 'B' : 'A'}`,
      one.replace(/images\/[^/]+/, `images/${crypto.randomUUID()}`),
      `${one}/800.jpg`,
      `${one}/1200.png`,
      one.replace('/0-1-', '/0-9-'),
      `${service.url}/images/x/y`,
    ]

    for (const address of altered) {
      const answer = await get(address)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      await readProblem(answer, 404, 'NOT_FOUND')
    }
  })

  test('answer 410 as soon as the publication is unpublished, and after it is published again', async () => {
    const { slug, addresses } = await publish()
    await (await get(addresses[0])).arrayBuffer()

    await service.request('POST', `/publications/${slug}/unpublish`)
    const withdrawn = await get(addresses[0])
    await service.request('POST', `/publications/${slug}/publish`)
    const again = await get(addresses[0])
    const [fresh] = await imageAddresses(service, slug)

    await readProblem(withdrawn, 410, 'GONE')
    await readProblem(again, 410, 'GONE')
    assert.equal((await get(fresh)).status, 200)
  })

  test('refuse pending requests as soon as the publication is unpublished or deleted', async () => {
    const { pageWaits } = service.server.publications!.deps
    const refusals: [method: string, path: string, status: number, code: string][] = [
      ['POST', '/unpublish', 410, 'GONE'],
      ['DELETE', '', 404, 'NOT_FOUND'],
    ]

    for (const [method, path, status, code] of refusals) {
      const { slug } = await storePublication(service, { version: heldByAnother() })
      const [address] = await imageAddresses(service, slug)
      const asked = get(address)
      while (pageWaits.count === 0) await new Promise(setImmediate)

      await service.request(method, `/publications/${slug}${path}`)

      await readProblem(await asked, status, code)
    }
  })

  test('answer 404 as soon as the publication is deleted', async () => {
    const { slug, addresses } = await publish()
    await (await get(addresses[0])).arrayBuffer()

    await service.request('DELETE', `/publications/${slug}`)

    assert.equal((await get(addresses[0])).status, 404)
  })

  test('answer 503 with Retry-After if not rendered in time', async () => {
    const { versionId } = await storePublication(service, { version: heldByAnother() })
    const { deps } = service.server.publications!
    const imageMaker = { make: () => assert.fail('what is not rendered is not made') } as unknown as ImageMaker
    const images = createPageImages({ ...deps, imageMaker, waitMs: 20 })
    const file = (await deps.files.findByVersion(versionId))!

    const wanted = { name: '1200.jpg', acceptsJpeg: true }
    const getting = images.get(file, 1, wanted, { caller: '192.0.2.1', signal: new AbortController().signal })

    await assert.rejects(getting, ({ status, headers }: AppError) => {
      assert.deepEqual([status, headers], [503, { 'retry-after': '5' }])
      return true
    })
    assert.equal(deps.pageWaits.count, 0)
  })

  test('answer 503 to pending requests when the server stops', async (t) => {
    const stopped = await startService(t, database, { services: ['publications'] })
    const { slug } = await storePublication(stopped, { version: heldByAnother() })
    const [address] = await imageAddresses(stopped, slug)

    const asked = get(address)
    const { pageWaits } = stopped.server.publications!.deps
    while (pageWaits.count === 0) await new Promise(setImmediate)
    const closed = stopped.server.close()
    const answer = await asked
    await closed

    assert.equal(answer.headers.get('retry-after'), '5')
    await readProblem(answer, 503, 'UNAVAILABLE')
  })

  test('stop waiting when the client disconnects', async () => {
    const { slug } = await storePublication(service, { version: heldByAnother() })
    const [address] = await imageAddresses(service, slug)
    const { pageWaits } = service.server.publications!.deps
    const client = new AbortController()

    const asked = fetch(address, { signal: client.signal })
    while (pageWaits.count === 0) await new Promise(setImmediate)
    client.abort()
    await assert.rejects(asked, { name: 'AbortError' })

    while (pageWaits.count > 0) await new Promise(setImmediate)
  })
})
