import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findOne, parseXml, textOf } from '../support/html-tree.ts'
import { readProblem } from '../support/problem.ts'
import { storePages } from '../support/public-pages.ts'

type Answer = { html: string; thumbnail_url?: string; width: number; height: number }

const ADDRESSES = { PUBLIC_URL: 'https://read.example/papers', CDN_URL: 'https://images.example' }

describePublications('GET /oembed', { on: oneDatabase, settings: ADDRESSES }, async ({ service, database }) => {
  const ask = async (url: string, rest = '') =>
    await fetch(`${service.url}/oembed?url=${encodeURIComponent(url)}${rest}`)

  test('returns a frame with the first page as the thumbnail', async () => {
    const facts = { metadata: { author: 'Ada' } }
    const { slug } = await storePages(service, { title: 'A <title>', facts, publication: { author_from_file: 1 } })

    const response = await ask(`https://read.example/papers/p/${slug}`)
    const answer = (await response.json()) as Answer

    const { html, thumbnail_url, ...rest } = answer
    assert.deepEqual(rest, {
      version: '1.0',
      type: 'rich',
      title: 'A <title>',
      author_name: 'Ada',
      provider_name: 'Trackpress',
      provider_url: 'https://read.example/papers',
      cache_age: 3600,
      width: 720,
      height: 960,
      thumbnail_width: 1200,
      thumbnail_height: 1600,
    })
    const frame = parseXml(html.replace('allowfullscreen', 'allowfullscreen=""')).attributes
    assert.equal(frame.src, `https://read.example/papers/p/${slug}/embed`)
    assert.deepEqual([frame.title, frame.width, frame.height], ['A <title>', '720', '960'])
    assert.match(thumbnail_url!, /^https:\/\/images\.example\/images\/.+\/1200\.jpg$/)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('cache-control'), 'public, max-age=0, must-revalidate')
  })

  test('keeps within maxwidth and maxheight', async () => {
    const { slug } = await storePages(service)

    const response = await ask(`https://read.example/papers/p/${slug}`, '&maxwidth=400&maxheight=300')
    const answer = (await response.json()) as Answer

    assert.deepEqual([answer.width, answer.height], [400, 300])
    assert.match(answer.html, /width="400" height="300"/)
    assert.equal(answer.thumbnail_url, undefined)
  })

  test('is as high as a wide page with the bars above and below it', async () => {
    const facts = { pages: [{ widthPt: 960, heightPt: 540 }] }
    const { slug } = await storePages(service, { facts })

    const answer = (await (await ask(`https://read.example/papers/p/${slug}`)).json()) as Answer

    assert.deepEqual([answer.width, answer.height], [720, 405 + 108])
    assert.match(answer.html, /height="513" .*aspect-ratio:720\/513;max-height:min\(85vh,960px\)/)
  })

  test('answers in XML for format=xml', async () => {
    const { slug } = await storePages(service, { title: 'A & B <c>' })

    const response = await ask(`https://read.example/papers/p/${slug}`, '&format=xml')
    const answer = parseXml(await response.text())

    assert.equal(response.headers.get('content-type'), 'text/xml; charset=utf-8')
    assert.equal(textOf(findOne(answer, 'title')), 'A & B <c>')
    assert.match(textOf(findOne(answer, 'html')), /^<iframe src="https:\/\/read\.example/)
  })

  test('accepts every address of a publication', async () => {
    const { slug } = await storePages(service, { formerSlugs: [`former-${database.name.toLowerCase()}`] })

    for (const address of [
      `https://read.example/papers/p/${slug}?from=401#page-401`,
      `https://read.example/papers/p/${slug}/embed`,
      `http://read.example/papers/p/${slug}/`,
      `https://read.example/papers/p/former-${database.name.toLowerCase()}`,
    ]) {
      const { html } = (await (await ask(address)).json()) as Answer

      assert.ok(html.includes(`src="https://read.example/papers/p/${slug}/embed"`), address)
    }
  })

  test('answers 404 for any other address', async () => {
    const { slug } = await storePages(service)

    for (const address of [
      `https://elsewhere.example/papers/p/${slug}`,
      `https://read.example/p/${slug}`,
      `https://read.example/papers/p/${slug}/other`,
      'https://read.example/papers/p/',
      'https://read.example/papers/p/unknown',
      'javascript:alert(1)',
      `javascript://read.example/papers/p/${slug}`,
      `https://read.example@elsewhere.example/papers/p/${slug}`,
      slug,
    ]) {
      await readProblem(await ask(address), 404, 'NOT_FOUND')
    }
  })

  test('answers 400 for an invalid request and 410 for an unpublished publication', async () => {
    const { slug } = await storePages(service, { publication: { unpublished_at: 1 } })

    await readProblem(await fetch(`${service.url}/oembed`), 400, 'BAD_REQUEST')
    const { detail } = await readProblem(await ask('https://read.example/', '&format=yaml'), 400, 'BAD_REQUEST')
    assert.equal(detail, 'format must be one of json, xml')
    await readProblem(await ask('https://read.example/', '&maxwidth=wide'), 400, 'BAD_REQUEST')
    await readProblem(await ask(`https://read.example/papers/p/${slug}`), 410, 'GONE')
  })
})
