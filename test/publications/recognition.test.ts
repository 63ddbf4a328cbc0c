import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { linesOf, makeScan } from '../support/make-scan.ts'
import { answer, publishPdf, untilRendered } from '../support/publish.ts'
import { type StartedPublications, startService } from '../support/start-service.ts'

type Word = { text: string; line: number; x: number; y: number; width: number; height: number }
type Content = { text: string; text_source: string; words: Word[] }

const LINES = ['The harbour opens at dawn.', "L'\\351t\\351, le march\\351 commence t\\364t.", 'Bring 250 lanterns.']

for (const database of databases) {
  describe(`recognition of scans on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['publications'] })
    const pageOf = (at: StartedPublications | Pick<StartedPublications, 'url'>, slug: string, page: number) =>
      fetch(`${at.url}/publications/${slug}/pages/${page}`)

    test('gives scans text for search and selection, once it is on, and leaves the file as it is', async (t) => {
      const pdf = await makeScan(t, [linesOf(...LINES)], [linesOf('A page with text.')])
      const { slug } = await publishPdf(service, { pdf })
      await untilRendered(service, slug)
      const before = await pageOf(service, slug, 1)
      assert.deepEqual(await before.json(), { page: 1, text: '', text_source: 'file', words: [], links: [] })

      const recognizing = await service.startAnother({ OCR: 'on' })
      while ((await untilRendered(service, slug)).pages_recognized === 0) await wait(50)

      const headers = { 'If-None-Match': before.headers.get('etag')! }
      const page = await answer<Content>(await fetch(before.url, { headers }), 200)
      assert.equal(page.text_source, 'recognized')
      assert.equal(
        page.text.replace(/\s+/g, ' '),
        "The harbour opens at dawn. L'été, le marché commence tôt. Bring 250 lanterns.",
      )
      assert.deepEqual([...new Set(page.words.map(({ line }) => line))], [0, 1, 2])
      for (const { x, y, width, height } of page.words)
        assert.ok(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1 && y + height <= 1)
      const [first, ...others] = page.words
      assert.ok(others.every(({ y, x }) => y > first.y || x > first.x))
      const found = await answer<{ hits: number }>(
        await fetch(`${service.url}/publications/${slug}/search?q=MARCHE`),
        200,
      )
      assert.equal(found.hits, 1)
      const ownText = await answer<Content>(await pageOf(recognizing, slug, 2), 200)
      assert.deepEqual([ownText.text, ownText.text_source], ['A page with text.', 'file'])
      const file = await fetch(`${service.url}/publications/${slug}/download`)
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
    })
  })
}
