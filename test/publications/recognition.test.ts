import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sweepUploads } from '../../src/publications/documents/upload-tickets.ts'
import { offlineFolder } from '../../src/publications/exports/offline-folder.ts'
import { keptPublications } from '../../src/publications/model/backup.ts'
import { encodePageContent } from '../../src/publications/model/document-content.ts'
import { textKey } from '../../src/publications/model/files-store.ts'
import { RecognitionQueue } from '../../src/publications/recognition/recognition-queue.ts'
import { createRecognitionStore, type LeasedPage, PageLostError } from '../../src/publications/recognition/store.ts'
import { createTextRecognizer, UnreadablePageError } from '../../src/publications/recognition/text-recognizer.ts'
import { createLanguageDetector } from '../../src/publications/rendering/detect-language.ts'
import { renderPage } from '../../src/publications/rendering/pages/render-page.ts'
import { describePublications } from '../support/describe-service.ts'
import { zipOf } from '../support/image-sources.ts'
import { makePdf } from '../support/make-pdf.ts'
import { linesOf, makeScan, scanPages } from '../support/make-scan.ts'
import { openMadePdf } from '../support/open-made-pdf.ts'
import { storePages } from '../support/public-pages.ts'
import { answer, publishPdf, untilRendered, uploadPdf, type WirePublication } from '../support/publish.ts'
import type { StartedPublications } from '../support/start-service.ts'
import { uploadRequests } from '../support/upload-requests.ts'

type Word = { text: string; line: number; x: number; y: number; width: number; height: number }
type Content = { text: string; text_source: string; words: Word[] }

const LINES = ['The harbour opens at dawn.', "L'\\351t\\351, le march\\351 commence t\\364t.", 'Bring 250 lanterns.']

const FRENCH = [
  'Le conseil communal a approuv\\351 le budget',
  'pour cette ann\\351e, malgr\\351 les critiques',
  'de ceux qui voulaient un nouveau march\\351.',
]

describePublications('recognition of scans', async ({ service, once }) => {
  const pageOf = (at: StartedPublications | Pick<StartedPublications, 'url'>, slug: string, page: number) =>
    fetch(`${at.url}/publications/${slug}/pages/${page}`)

  const { ticket, put } = uploadRequests(service)
  let started: ReturnType<typeof service.startAnother> | undefined
  const recognizingInstance = () => (started ??= service.startAnother({ OCR: 'on' }))

  test('takes turns among workspaces, so that a long scan of one holds up no other', async (t) => {
    const { db, versions, blobs } = service.server.publications!.deps
    const other = await service.createWorkspace('With a short scan')
    const nowMs = Date.now()
    const pages = Array.from({ length: 4 }, () => ({}))
    const long = await storePages(service, { pages, version: { created_at: nowMs } })
    const publication = { workspace_id: other.id }
    const short = await storePages(service, { pages: [{}], publication, version: { created_at: nowMs - 1 } })
    const turns: string[] = []
    const image = { width: 1, height: 1, data: new Uint8Array(3) }
    const queue = new RecognitionQueue({
      store: createRecognitionStore(db),
      versions,
      blobs,
      now: () => Date.now(),
      logger: { warn: () => {} },
      localDocuments: { localDocument: async (path: string) => ({ path, [Symbol.asyncDispose]: async () => {} }) },
      languageDetector: { detect: async () => {} },
      renderer: {
        renderPages(path: string, _: number[], { onPage }: { onPage: (page: { image: object }) => void }) {
          turns.push(path)
          onPage({ image })
          return { finished: Promise.resolve() }
        },
      },
      recognizer: { recognize: async () => ({ text: 'Word', roles: null, words: new Uint8Array(5) }) },
    } as unknown as ConstructorParameters<typeof RecognitionQueue>[0])
    t.after(() => queue.close())
    const keyOf = async (versionId: string) =>
      (await db.selectFrom('versions').select('blob_key').where('id', '=', versionId).executeTakeFirstOrThrow())
        .blob_key
    const [ofLong, ofShort] = await Promise.all([keyOf(long.versionId), keyOf(short.versionId)])

    queue.start()
    while (turns.length < 5) await wait(10)

    assert.deepEqual(turns, [ofLong, ofShort, ofLong, ofLong, ofLong])
  })

  test('leases each page to one instance, until the lease ends, and stores nothing of a lost one', async () => {
    const { versionId } = await storePages(service, { pages: [{}, { text: 'Text' }, {}, { failedCode: 'damaged' }] })
    const store = createRecognitionStore(service.server.publications!.deps.db)
    const claim = (owner: string, nowMs: number) => store.claimPage(versionId, { owner, nowMs, untilMs: nowMs + 10 })

    const killed = (await claim('a', 0)) as LeasedPage
    const other = (await claim('b', 1)) as LeasedPage
    assert.deepEqual([killed.page, other.page, await claim('c', 2)], [1, 3, 'leased'])
    const again = (await claim('b', 10)) as LeasedPage

    assert.deepEqual([again.page, again.attempts], [1, 2])
    const content = { text: 'Late', roles: null, words: new Uint8Array(killed.words) }
    await assert.rejects(store.record(killed, 'a', content), PageLostError)
    await store.record(again, 'b', { ...content, text: 'Word' })
    await store.giveUp(other, 'b')
    assert.equal(await claim('b', 99), undefined)
    const { db } = service.server.publications!.deps
    const version = db.selectFrom('versions').where('id', '=', versionId)
    const { pages_recognized } = await version.select('pages_recognized').executeTakeFirstOrThrow()
    assert.equal(pages_recognized, 1)
  })

  test('gives a document up after three pages that cannot be recognised', async () => {
    const { versionId } = await storePages(service, { pages: [{}, {}, {}, {}] })
    const store = createRecognitionStore(service.server.publications!.deps.db)

    const claimed: (number | undefined)[] = []
    for (let nowMs = 0; nowMs < 4; nowMs++) {
      const page = (await store.claimPage(versionId, { owner: 'a', nowMs, untilMs: nowMs + 10 })) as LeasedPage
      claimed.push(page?.page)
      if (page !== undefined) await store.giveUp(page, 'a')
    }

    assert.deepEqual(claimed, [1, 2, 3, undefined])
  })

  test('adds the text to the PDF that was made of images, in its place and unseen', async (t) => {
    const [text, blank] = await scanPages(t, [linesOf(...LINES), { ...linesOf(), content: '' }])
    const damaged = text.jpeg.subarray(0, 30)
    const zip = await zipOf({ '1.jpg': blank.jpeg, '2.jpg': text.jpeg, '3.jpg': damaged, '4.jpg': text.jpeg })
    const { uploadUrl, storageKey, pdfPath } = await ticket({ type: 'images' })
    await put(uploadUrl, zip, { 'Content-Type': 'application/zip' })
    const creation = { title: 'Letters', storageKey, pdfPath, sourceType: 'images' }
    const { slug } = await answer<WirePublication>(await service.request('POST', '/publications', creation), 201)
    await untilRendered(service, slug)
    const download = async (range?: string) => {
      const headers: Record<string, string> = range === undefined ? {} : { Range: `bytes=${range}` }
      const response = await fetch(`${service.url}/publications/${slug}/download`, { headers })
      assert.equal(response.status, range === undefined ? 200 : 206)
      return Buffer.from(await response.arrayBuffer())
    }
    const { images } = await answer<{ images: string[] }>(
      await service.request('GET', `/publications/${slug}/images`),
      200,
    )
    const before = await download()

    await recognizingInstance()
    let pdf = before
    while (pdf.length === before.length) {
      await wait(50)
      pdf = await download()
    }

    assert.deepEqual(pdf.subarray(0, before.length), before)
    const document = await openMadePdf(t, pdf)
    assert.equal(document.pageCount, 4)
    const original = await openMadePdf(t, before)
    for (const page of [2, 4]) {
      const found = renderPage(document, page, 600)
      const { words } = await answer<Content>(await pageOf(service, slug, page), 200)
      assert.deepEqual(
        found.words.map((word) => word.text),
        words.map((word) => word.text),
      )
      assert.ok(words.some((word) => word.text === "L'été,"))
      for (const [at, { x, y, width, height }] of found.words.entries()) {
        const word = words[at]
        assert.ok(Math.abs(x - word.x) < 0.01 && Math.abs(x + width - word.x - word.width) < 0.01)
        assert.ok(y < word.y + 0.01 && y + height > word.y + word.height - 0.01 && height < 0.2)
      }
      assert.deepEqual(found.image.data, renderPage(original, page, 600).image.data)
    }
    assert.deepEqual(renderPage(document, 1, 600).words, [])

    const joint = before.length
    const ranges = [
      [0, 9],
      [joint, joint + 9],
      [joint - 5, joint + 4],
      [10, pdf.length - 1],
    ]
    for (const [start, end] of ranges)
      assert.deepEqual(await download(`${start}-${end}`), pdf.subarray(start, end + 1), `from ${start} to ${end}`)
    assert.equal((await fetch(images[1])).status, 200)
    const { deps } = service.server.publications!
    const { versionId, text: stored } = (await deps.files
      .findBySlug(slug)
      .then((file) => deps.files.findByVersion(file!.versionId)))!
    const named = []
    for await (const { key, size, sha256 } of keptPublications.blobs.texts(deps.db as never))
      named.push({ key, size, sha256 })
    assert.deepEqual(named, [{ key: textKey(versionId), ...stored }])
    await sweepUploads({ ...deps, now: () => Date.now() + 48 * 3_600_000 })
    assert.equal((await deps.blobs.head(textKey(versionId)))?.size, pdf.length - joint)
    let exported = Buffer.alloc(0)
    for await (const { name, bytes } of await offlineFolder(deps, slug))
      if (name.endsWith('document.pdf')) exported = await buffer(bytes)
    assert.deepEqual(exported, pdf)
    const page = await (await fetch(`${service.url}/p/${slug}`)).text()
    assert.match(page, new RegExp(`"contentSize":"${pdf.length}"`))

    const earlier = { content_form: null, text_size: null, text_sha256: null, recognized_at: 1 }
    await deps.db.updateTable('versions').set(earlier).where('id', '=', versionId).execute()
    assert.equal((await download()).length, before.length)
    // It is read again, and gets the same text.
    for (pdf = before; pdf.length === before.length; pdf = await download()) await wait(50)
    assert.deepEqual(pdf, exported)

    await answer(await service.request('DELETE', `/publications/${slug}`), 204)
    while ((await deps.blobs.head(textKey(versionId))) !== undefined) await wait(20)
  })

  once('gives scans text for search and selection, once it is on, and leaves the file as it is', async (t) => {
    const pdf = await makeScan(t, [linesOf(...LINES)], [linesOf('A page with text.')])
    const { slug } = await publishPdf(service, { pdf })
    await untilRendered(service, slug)
    const before = await pageOf(service, slug, 1)
    const refused = await publishPdf(service, { pdf: await makeScan(t, [linesOf(...FRENCH)]), recognize_text: false })
    await untilRendered(service, refused.slug)
    assert.deepEqual(await before.json(), {
      page: 1,
      text: '',
      text_source: 'file',
      words: [],
      links: [],
      comments: [],
    })

    const recognizing = await recognizingInstance()
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
    const html = await (await fetch(`${service.url}/p/${slug}`)).text()
    assert.equal(html.match(/This text was recognised in an image/g)?.length, 1)
    const file = await fetch(`${service.url}/publications/${slug}/download`)
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)

    const { pages_recognized, recognize_text } = await untilRendered(service, refused.slug)
    assert.deepEqual([pages_recognized, recognize_text], [0, false])
    const change = await service.request('PATCH', `/publications/${refused.slug}`, { recognize_text: true })
    assert.equal((await answer<WirePublication>(change, 200)).recognize_text, true)
    while ((await untilRendered(service, refused.slug)).pages_recognized === 0) await wait(50)
    while ((await untilRendered(service, refused.slug)).language === null) await wait(50)
    assert.equal((await untilRendered(service, refused.slug)).language, 'fr')
  })

  test('knows the language of a text that the file does not state, until the publisher states another', async () => {
    const pdf = makePdf({ pages: [linesOf(...FRENCH)] })
    const { slug, updated_at } = await publishPdf(service, { pdf })
    const languageOf = async () => (await untilRendered(service, slug)).language
    while ((await languageOf()) === null) await wait(50)

    assert.equal(await languageOf(), 'fr')
    assert.match(await (await fetch(`${service.url}/p/${slug}`)).text(), /<div lang="fr">/)
    const change = async (language: string) =>
      await answer<WirePublication>(await service.request('PATCH', `/publications/${slug}`, { language }), 200)
    const stated = await change('de')
    assert.deepEqual([stated.language, stated.detected_language], ['de', 'fr'])
    assert.ok(stated.updated_at > updated_at)
    assert.equal((await change('')).language, null)
    const file = { ...(await uploadPdf(service, { pdf: makePdf({ pages: [linesOf('Merci')] }) })), title: undefined }
    await answer(await service.request('PUT', `/publications/${slug}/file`, file), 200)
    const asFile = await service.request('PATCH', `/publications/${slug}`, { language_from_file: true })
    assert.equal((await answer<WirePublication>(asFile, 200)).language, null)
  })

  test('looks again for the language of a document whose process was killed before, and writes it once', async (t) => {
    const text = 'Le conseil communal a approuvé le budget pour cette année, malgré les critiques de l’opposition.'
    const { versionId } = await storePages(service, { pages: [{}, { text }] })
    const { db } = service.server.publications!.deps
    const detector = createLanguageDetector(db, () => 1)
    t.after(() => detector.close())
    const state = async () =>
      await db
        .selectFrom('versions')
        .innerJoin('publications', 'publications.version_id', 'versions.id')
        .where('versions.id', '=', versionId)
        .select(['facts', 'updated_at'])
        .executeTakeFirstOrThrow()
    const before = await state()

    await detector.detect(versionId)
    const after = await state()
    await detector.detect(versionId)

    assert.deepEqual(JSON.parse(after.facts), { ...JSON.parse(before.facts), detectedLanguage: 'fr' })
    assert.equal(after.updated_at, before.updated_at + 1)
    assert.deepEqual(await state(), after)
    await detector.detect('no such version')
  })
})

describe('the recogniser', () => {
  test('ends with a page that takes too long', async (t) => {
    const recognizer = createTextRecognizer(['eng'], 1_000)!
    t.after(() => recognizer.close())
    // Noise of this size takes minutes.
    const [width, height] = [2_000, 2_000]
    const data = new Uint8Array(3 * width * height)
    for (let at = 0, state = 1; at < data.length; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      data[at] = state >>> 24
    }
    const words = encodePageContent({ words: [], links: [] })
    const page = { image: { width, height, data }, words, maxCharacters: 1_000, stated: 'en' }

    await assert.rejects(recognizer.recognize(page, new AbortController().signal), UnreadablePageError)
  })
})
