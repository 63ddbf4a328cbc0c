import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { publishDense } from '../support/attack/dense-document.ts'
import { held, sizes, startTarget } from '../support/attack.ts'

/**
 * Documents whose pages have as much text, and as many words and links, as a page may keep. Memory grows by two pages
 * that are written at once, the cache, and what is not yet collected.
 */
const SIZE = sizes(
  { documents: 2, pages: 120, requests: 20, maxGrowthMiB: 120 },
  { documents: 2, pages: 400, requests: 100, maxGrowthMiB: 250 },
)
const PAGE_CHARACTERS = 120_000
const WORDS_PER_PAGE = 20_000
const LINKS_PER_PAGE = 2_000
const MIB = 1_048_576
const LANGUAGES = ['en', 'de']

/** Returns a place on a page that compresses as little as those of real words. */
const place = () => ({ x: Math.random(), y: Math.random(), width: Math.random() / 10, height: 0.0123456 })

describe('the public page', async () => {
  const target = await startTarget({ after })
  const text = 'lorem\n\n<psum '.repeat(PAGE_CHARACTERS / 13)
  const publishDensePages = () =>
    publishDense(target, {
      pages: SIZE.pages,
      text: () => text,
      content: {
        words: Array.from({ length: WORDS_PER_PAGE }, (_, line) => ({ text: 'lorem', line, ...place() })),
        links: Array.from({ length: LINKS_PER_PAGE }, (_, at) => ({ uri: `https://example.org/${at}`, ...place() })),
      },
    })

  const slugs = await Promise.all(Array.from({ length: SIZE.documents }, publishDensePages))

  test('of dense documents, requested many times at once, takes bounded memory and holds up nobody else', async (t) => {
    // The first page takes memory that all later ones use again.
    await (await target.read(`/p/${slugs[0]}`)).text()
    const probe = await target.probe()
    const before = target.usage()

    const answers = await Promise.all(
      Array.from({ length: SIZE.requests }, async (_, at) => {
        const language = LANGUAGES[Math.floor(at / slugs.length) % LANGUAGES.length]
        const response = await target.read(`/p/${slugs[at % slugs.length]}`, { 'accept-language': language })
        const { length } = await response.text()
        if (response.status === 503) assert.ok(Number(response.headers.get('retry-after')) > 0)
        return { status: response.status, length }
      }),
    )

    const after = target.usage()
    const bystanders = await probe.stop()
    const answered = answers.filter(({ status }) => status === 200)
    assert.ok(answered.length > 0)
    assert.equal(answered.length + answers.filter(({ status }) => status === 503).length, SIZE.requests)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    const growthMiB = before && after ? (after.peakRssBytes - before.rssBytes) / MIB : 0
    held(t, {
      requests: [SIZE.requests, ''],
      answered: [answered.length, ''],
      'characters of a page': [Math.max(...answered.map(({ length }) => length)), ''],
      'memory added': [growthMiB, 'MiB'],
      ...(before && after && { 'main thread': [after.mainThreadMs - before.mainThreadMs, 'ms'] }),
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
    })
    assert.ok(growthMiB < SIZE.maxGrowthMiB, `${growthMiB} MiB`)
  })
})
