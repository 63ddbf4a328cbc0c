import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { holdMeter } from '../support/attack/hold.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { plainPicture, zipOf } from '../support/image-sources.ts'
import { linesOf, makeScan } from '../support/make-scan.ts'
import { answer, publishPdf, untilRendered, type WirePublication } from '../support/publish.ts'
import { uploadRequests } from '../support/upload-requests.ts'

const NOISE = sizes({ pages: 1, width: 60, height: 60 }, { pages: 5, width: 2_480, height: 3_508 })
const SIZE = sizes({ unpackedMb: 40, names: 2_000 }, { unpackedMb: 290, names: 19_000 })
/** No client may hold the thread that answers longer. */
const MAX_HOLD_MS = 100
/** One unpacked file at a time, and what decoders need of it. */
const MAX_GROWTH_MB = 900

const JPEG = await plainPicture('#ffffff').jpeg().toBuffer()
const PNG = await plainPicture('#ffffff').png().toBuffer()
const TIFF = await plainPicture('#ffffff').tiff({ compression: 'none' }).toBuffer()

type JobList = { queues: { name: string; waiting: number }[] }

/** Bytes that begin like a JPEG and shrink to a thousandth. */
const hollow = Buffer.concat([JPEG.subarray(0, 20), Buffer.alloc(SIZE.unpackedMb * 1_000_000)])

/** Returns a picture whose header claims 65,535 pixels on each side. */
function hugePng(): Buffer {
  const png = Buffer.from(PNG)
  png.writeUInt32BE(65_535, 16)
  png.writeUInt32BE(65_535, 20)
  return png
}

function hugeJpeg(): Buffer {
  const jpeg = Buffer.from(JPEG)
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  // The largest that decoders of JPEG read.
  jpeg.writeUInt16BE(65_500, frame + 5)
  jpeg.writeUInt16BE(65_500, frame + 7)
  return jpeg
}

/** Returns a ZIP file all of whose entries name the same bytes. */
async function overlapping(bytes: Buffer, count: number): Promise<Buffer> {
  const zip = await zipOf({ '1.jpg': bytes })
  const [at, end] = [zip.lastIndexOf('PK\x01\x02'), zip.lastIndexOf('PK\x05\x06')]
  const entry = zip.subarray(at, end)
  const tail = Buffer.from(zip.subarray(end))
  tail.writeUInt16LE(count, 8)
  tail.writeUInt16LE(count, 10)
  tail.writeUInt32LE(entry.length * count, 12)
  return Buffer.concat([zip.subarray(0, at), ...Array<Buffer>(count).fill(entry), tail])
}

/** Returns a ZIP file whose directory claims less than a file unpacks to. */
async function understated(): Promise<Buffer> {
  const zip = await zipOf({ '1.jpg': hollow })
  zip.writeUInt32LE(1_000, zip.lastIndexOf('PK\x01\x02') + 24)
  return zip
}

/** Returns a ZIP file of long names that lead out of every folder, which takes a writer that allows it. */
async function longNames(): Promise<Buffer> {
  const names = manyNames((at) => `${'aa/'.repeat(300)}${'9'.repeat(30_000)}${at}.jpg`, 100)
  return Buffer.from((await zipOf(names)).toString('latin1').replaceAll('aa/', '../'), 'latin1')
}

const manyNames = (name: (at: number) => string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 'x']))

const entities = `<!DOCTYPE a [<!ENTITY a "${'&b;'.repeat(1_000)}"><!ENTITY b "${'x'.repeat(10_000)}">]><ComicInfo><Title>&a;</Title></ComicInfo>`

/** Files, and what each is answered with: its number of pages, or the reason of its refusal. */
const FILES: [name: string, file: () => Promise<Buffer> | Buffer, expected: number | string][] = [
  ['a file that unpacks to a thousand times its size', () => zipOf({ '1.jpg': hollow, '2.jpg': JPEG }), 2],
  ['a file whose parts lie over each other', () => overlapping(hollow, SIZE.names), 'unpacks_too_large'],
  ['a file that unpacks to more than it says', understated, 'damaged'],
  ['long names that lead out of every folder', longNames, 'no_images'],
  ['more names than an archive may have', () => overlapping(Buffer.from('x'), 20_001), 'too_many_files'],
  ['a PNG of 4 gigapixels', hugePng, 'too_many_pixels'],
  ['a JPEG of 4 gigapixels', hugeJpeg, 'too_many_pixels'],
  ['a TIFF that was cut off', () => TIFF.subarray(0, TIFF.length / 2), 'damaged'],
  ['a comic that describes itself with entities', () => zipOf({ 'ComicInfo.xml': entities, '1.jpg': JPEG }), 1],
  [
    'a comic whose description is nested without end',
    () => zipOf({ 'ComicInfo.xml': '<a>'.repeat(300_000), '1.jpg': JPEG }),
    1,
  ],
]

/** A scan of noise, of which every page takes the recogniser longer than any page needs. */
async function noisyScan(): Promise<Buffer> {
  const { width, height } = NOISE
  const page = () =>
    sharp(randomBytes(width * height), { raw: { width, height, channels: 1 } })
      .threshold(128)
      .png()
      .toBuffer()
  const pages = await Promise.all(Array.from({ length: NOISE.pages }, page))
  return await zipOf(Object.fromEntries(pages.map((png, at) => [`${at + 1}.png`, png])))
}

describe('hostile files of pictures', async () => {
  const meter = holdMeter({ after })
  const scratch = mkdtempSync(join(tmpdir(), 'attacked-pictures-'))
  after(() => rmSync(scratch, { recursive: true, force: true }))
  const target = await startTarget({ after }, undefined, { ...meter.settings, TMPDIR: scratch, OCR: 'on' })
  const service = { url: target.url, request: target.publish }
  const { ticket, put } = uploadRequests(service)

  async function upload(file: Buffer, type: string) {
    const { uploadUrl, storageKey, pdfPath } = await ticket({ type: 'images' })
    const sent = await put(uploadUrl, file, { 'Content-Type': type })
    return { sent, creation: { title: 'Pages', storageKey, pdfPath, sourceType: 'images' } }
  }

  async function publish(file: Buffer, type: string): Promise<WirePublication> {
    const { sent, creation } = await upload(file, type)
    assert.equal(sent.status, 200, sent.body.toString())
    const { slug } = await answer<WirePublication>(await target.publish('POST', '/publications', creation), 201)
    return await untilRendered(service, slug)
  }

  const typeOf = (file: Buffer) => (file.subarray(0, 2).toString() === 'PK' ? 'application/zip' : 'image/png')

  test('are read or refused without holding up others, and leave nothing behind', async (t) => {
    const made = await Promise.all(
      FILES.map(async ([name, make, expected]) => ({ name, file: await make(), expected })),
    )
    // The first file starts the thread.
    await upload(JPEG, 'image/jpeg')
    const probe = await target.probe()
    const start = target.usage()
    const holds: number[] = []

    const answers: [string, unknown][] = []
    for (const { name, file, expected } of made) {
      const holdMs = await meter.longestMs(target.pid, async () => {
        const { sent, creation } = await upload(file, typeOf(file))
        const { reason } = JSON.parse(sent.body.toString()) as { reason?: string }
        if (typeof expected === 'string' || sent.status !== 200) answers.push([name, reason ?? sent.status])
        else {
          const created = await target.publish('POST', '/publications', creation)
          answers.push([name, (await answer<WirePublication>(created, 201)).page_count])
        }
      })
      holds.push(holdMs)
    }

    const end = target.usage()
    const { points, health } = await probe.stop()
    assert.deepEqual(
      answers,
      FILES.map(([name, , expected]) => [name, expected]),
    )
    assert.equal(points.failed + health.failed, 0)
    const growthMb = end && start ? (end.peakRssBytes - start.rssBytes) / 1_048_576 : 0
    held(t, {
      files: [FILES.length, ''],
      'memory added': [growthMb, 'MB'],
      'longest hold of the thread that answers': [Math.max(...holds), 'ms'],
      'longest wait of others': [Math.max(points.longestMs, health.longestMs), 'ms'],
    })
    assert.ok(growthMb < MAX_GROWTH_MB, `${growthMb} MB`)
    assert.ok(Math.max(...holds) < MAX_HOLD_MS, `${holds} ms`)
    const left = readdirSync(scratch, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    assert.deepEqual(
      left.map(({ name }) => name),
      [],
    )
  })

  test('show nobody where their photographs were taken, in any format', async () => {
    const position = { IFD0: { Artist: 'SECRETNAME' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 31/1 0/1' } }
    const photograph = () => plainPicture('#336699', { width: 64, height: 64 }).withExif(position)
    const file = await zipOf({
      '1.jpg': await photograph().jpeg().toBuffer(),
      '2.png': await photograph().png().toBuffer(),
      '3.webp': await photograph().webp().toBuffer(),
      '4.tif': await photograph().tiff().toBuffer(),
      '5.avif': await photograph().avif().toBuffer(),
      'ComicInfo.xml': `<ComicInfo><Title>&lt;script&gt;alert(1)&lt;/script&gt;</Title><Writer>&lt;img src=x&gt;</Writer></ComicInfo>`,
    })

    const { slug } = await publish(file, 'application/zip')

    const { url } = await answer<{ url: string }>(await target.publish('GET', `/publications/${slug}/pdf`), 200)
    const pdf = Buffer.from(await (await fetch(url)).arrayBuffer())
    for (const secret of ['SECRETNAME', 'Exif', 'GPS']) assert.ok(!pdf.includes(secret), secret)
    const listed = await answer<{ images: string[] }>(await target.publish('GET', `/publications/${slug}/images`), 200)
    assert.equal(listed.images.length, 5)
    for (const address of listed.images) {
      const { exif } = await sharp(Buffer.from(await (await fetch(address)).arrayBuffer())).metadata()
      assert.equal(exif, undefined)
    }
    const page = await (await target.read(`/p/${slug}`)).text()
    assert.ok(!page.includes('<script>alert') && !page.includes('<img src=x'))
  })

  test('made to keep the recogniser busy for ever do not keep it from other scans, and end', async (t) => {
    const untilRecognized = async (slug: string) => {
      while ((await untilRendered(service, slug)).pages_recognized === 0) await wait(100)
    }
    const honest = await makeScan(t, [linesOf('The harbour opens at dawn.')])
    const startMs = performance.now()
    await publish(await noisyScan(), 'application/zip')
    const probe = await target.probe()

    const { slug } = await publishPdf(service, { pdf: honest })
    await untilRecognized(slug)
    const waitedMs = performance.now() - startMs
    const waiting = async () => {
      const { queues } = await answer<JobList>(await target.operator.request('GET', '/operator/jobs'), 200)
      return queues.find(({ name }) => name === 'recognitions')!.waiting
    }
    while ((await waiting()) !== 0) await wait(500)

    const { points, health } = await probe.stop()
    assert.equal(points.failed + health.failed, 0)
    held(t, {
      'another scan was recognised after': [waitedMs / 1000, 's'],
      'the scan of noise took': [(performance.now() - startMs) / 1000, 's'],
      'longest wait of others': [Math.max(points.longestMs, health.longestMs), 'ms'],
    })
  })
})
