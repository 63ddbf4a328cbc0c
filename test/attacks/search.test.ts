import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { publishDense } from '../support/attack/dense-document.ts'
import { held, sizes, startTarget } from '../support/attack.ts'

/** Documents as full of text as earlier releases stored them. */
const SIZE = sizes(
  { documents: 2, pages: 60, characters: 50_000, searches: 40, pageReads: 40 },
  { documents: 2, pages: 1_300, characters: 200_000, searches: 200, pageReads: 400 },
)
const MIB = 1_048_576
/** The texts that the thread keeps, and slices on their way to it. One document of the full size takes 260 MB. */
const MAX_GROWTH_BYTES = 400 * MIB
const WORDS_PER_PAGE = 20_000

describe('search', async () => {
  const target = await startTarget({ after })
  const text = 'lorem ipsum '.repeat(SIZE.characters / 12)
  const box = { x: 0.123456, y: 0.123456, width: 0.0123456, height: 0.0123456 }
  const publishText = () =>
    publishDense(target, {
      pages: SIZE.pages,
      text: (page) => `${text} the end ${page}`,
      content: {
        words: Array.from({ length: WORDS_PER_PAGE }, (_, line) => ({ text: 'lorem', line, ...box })),
        links: [],
      },
    })

  const slugs = await Promise.all(Array.from({ length: SIZE.documents }, publishText))

  test('in long documents by many at once takes bounded memory and holds up nobody else', async (t) => {
    const probe = await target.probe()
    const before = target.usage()

    const statuses = await Promise.all(
      Array.from({ length: SIZE.searches }, async (_, at) => {
        const query = `q=${encodeURIComponent(`the end ${at % SIZE.pages}`)}`
        const response = await target.read(`/publications/${slugs[at % slugs.length]}/search?${query}`)
        await response.text()
        if (response.status === 503) assert.ok(Number(response.headers.get('retry-after')) > 0)
        return response.status
      }),
    )

    const after = target.usage()
    const bystanders = await probe.stop()
    const answered = statuses.filter((status) => status === 200).length
    assert.ok(answered > 0)
    assert.equal(answered + statuses.filter((status) => status === 503).length, SIZE.searches)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    const growth = before && after && after.peakRssBytes - before.rssBytes
    assert.ok((growth ?? 0) < MAX_GROWTH_BYTES, `${(growth ?? 0) / MIB} MiB`)
    held(t, {
      searches: [SIZE.searches, ''],
      answered: [answered, ''],
      'memory added': [(growth ?? 0) / MIB, 'MiB'],
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
    })
  })

  test('for the words of a full page, again and again, does not hold up others', async (t) => {
    const probe = await target.probe()
    const before = target.usage()

    const statuses = await Promise.all(
      Array.from({ length: SIZE.pageReads }, async (_, at) => {
        const response = await target.read(`/publications/${slugs[0]}/pages/${2 + (at % (SIZE.pages - 1))}`)
        await response.arrayBuffer()
        return response.status
      }),
    )

    const after = target.usage()
    const bystanders = await probe.stop()
    const answered = statuses.filter((status) => status === 200).length
    assert.ok(answered > 0)
    assert.equal(answered + statuses.filter((status) => status === 503).length, SIZE.pageReads)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    held(t, {
      requests: [SIZE.pageReads, ''],
      answered: [answered, ''],
      ...(before && after && { 'main thread per page': [(after.mainThreadMs - before.mainThreadMs) / answered, 'ms'] }),
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
    })
  })
})
