import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { openPageArchive } from '../../src/publications/sources/page-archive.ts'
import { oneDatabase } from '../support/databases.ts'
import { colourOf, plainPicture, zipOf } from '../support/image-sources.ts'
import { wrongPlaces } from '../support/problem.ts'
import { answer, untilRendered, type WirePublication } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'
import { startTcpProxy, throughProxy } from '../support/tcp-proxy.ts'
import { uploadByTus } from '../support/tus-upload.ts'
import { refusal, uploadRequests } from '../support/upload-requests.ts'

const ZIP = { 'Content-Type': 'application/zip' }

for (const database of oneDatabase) {
  describe(`A publication made of images on ${database.name}`, async () => {
    const service = await startService({ after }, database)
    const { ticket, put } = uploadRequests(service)

    /** Uploads a file of images. @returns the answer to the upload and the request that publishes it */
    async function upload(file: Buffer, type = 'application/zip') {
      const { uploadUrl, storageKey, pdfPath } = await ticket({ type: 'images' })
      const sent = await put(uploadUrl, file, { 'Content-Type': type })
      return { sent, creation: { title: 'Pages', storageKey, pdfPath, sourceType: 'images' } }
    }

    async function publish(file: Buffer, type?: string): Promise<WirePublication> {
      const { sent, creation } = await upload(file, type)
      assert.equal(sent.status, 200, sent.body.toString())
      const { slug } = await answer<WirePublication>(await service.request('POST', '/publications', creation), 201)
      return await untilRendered(service, slug)
    }

    async function reasonOf(file: Buffer): Promise<string> {
      const { sent } = await upload(file)
      assert.equal(refusal(sent), '422 UNPROCESSABLE')
      return (JSON.parse(sent.body.toString()) as { reason: string }).reason
    }

    async function pageImages(slug: string): Promise<Buffer[]> {
      const { images } = await answer<{ images: string[] }>(
        await service.request('GET', `/publications/${slug}/images`),
        200,
      )
      return await Promise.all(images.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())))
    }

    async function pdfOf(slug: string): Promise<Buffer> {
      const { url } = await answer<{ url: string }>(await service.request('GET', `/publications/${slug}/pdf`), 200)
      return Buffer.from(await (await fetch(url)).arrayBuffer())
    }

    test('has the pages of a ZIP file in natural order, whatever their formats', async () => {
      const file = await zipOf({
        '10.png': await plainPicture('#0000ff').png({ palette: true }).toBuffer(),
        '2.jpg': await plainPicture('#00ff00').jpeg().toBuffer(),
        'b/1.webp': await plainPicture('#ffff00').webp().toBuffer(),
        'a/1.tif': await plainPicture('#ff0000').tiff().toBuffer(),
        'a/Thumbs.db': 'x',
        '__MACOSX/2.jpg': 'x',
        '.hidden.jpg': 'x',
        'notes.txt': 'Not a page.',
        '11.avif': await plainPicture('#808080', { width: 64, height: 64 }).avif().toBuffer(),
      })

      const { slug, page_count } = await publish(file)

      assert.equal(page_count, 5)
      const colours = await Promise.all((await pageImages(slug)).map(colourOf))
      const expected = ['ff0000', 'ffff00', '00ff00', '0000ff', '808080']
      for (const [at, colour] of expected.entries()) {
        const wanted = [...Buffer.from(colour, 'hex')]
        const isNear = colours[at].every((value, i) => Math.abs(value - wanted[i]) < 12)
        assert.ok(isNear, `page ${at + 1} is ${colours[at]}, not ${wanted}`)
      }
    })

    test('arrives by tus, whose connection is cut on the way', async (t) => {
      const noise = sharp(randomBytes(300_000), { raw: { width: 500, height: 200, channels: 3 } })
      const file = await zipOf({
        '1.png': await noise.png().toBuffer(),
        '2.png': await plainPicture('#00ff00').png().toBuffer(),
      })
      const { uploadUrl, storageKey, pdfPath } = await ticket({ type: 'images' })
      const proxy = await startTcpProxy(t, new URL(uploadUrl))
      const cuts = [file.length / 2]

      const offsets = await uploadByTus(throughProxy(uploadUrl, proxy), file, () => {
        const cut = cuts.shift()
        if (cut !== undefined) void proxy.closeAfter(cut)
      })

      assert.ok(offsets.length > 1)
      const creation = { title: 'Pages', storageKey, pdfPath, sourceType: 'images' }
      const { slug } = await answer<WirePublication>(await service.request('POST', '/publications', creation), 201)
      assert.equal((await untilRendered(service, slug)).page_count, 2)
      const [red, green, blue] = await colourOf((await pageImages(slug))[1])
      assert.ok(red < 12 && green > 243 && blue < 12, String([red, green, blue]))
    })

    test('keeps the pixels of JPEG byte for byte in its PDF, and nothing of the metadata', async () => {
      const jpeg = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#123456' } })
        .withExif({ IFD0: { Artist: 'SECRET NAME' }, IFD3: { GPSLatitude: '46/1 31/1 0/1', GPSLatitudeRef: 'N' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer()
      assert.ok(jpeg.includes('Exif'))
      const pixels = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), -2)

      const { slug } = await publish(Buffer.concat([jpeg, Buffer.from('A FILM AFTER THE END')]), 'image/jpeg')

      const pdf = await pdfOf(slug)
      assert.ok(pdf.includes(pixels))
      for (const secret of ['Exif', 'SECRET', 'GPS', 'A FILM']) assert.ok(!pdf.includes(secret), secret)
      const [image] = await pageImages(slug)
      const { width, height } = await sharp(image).metadata()
      assert.equal(height / width, 2, 'lies as its orientation says')
    })

    test('takes title, author, language and direction from a ComicInfo.xml, as text', async () => {
      const comic = await zipOf({
        'ComicInfo.xml': `<?xml version="1.0"?><ComicInfo><Title>&lt;b&gt;Le Voyage&lt;/b&gt; 月</Title><Writer>A. Writer</Writer>
<LanguageISO>ja</LanguageISO><Manga>YesAndRightToLeft</Manga><Pages><Page Image="0"/></Pages>
<Summary>A long way. ${'And on. '.repeat(2_000)}</Summary></ComicInfo>`,
        '1.jpg': await plainPicture('#ffffff').jpeg().toBuffer(),
      })

      const { slug, language } = await publish(comic)

      assert.equal(language, 'ja')
      const page = await (await fetch(`${service.url}/p/${slug}`)).text()
      assert.match(page, /"isRightToLeft":true/)
      const pdf = await pdfOf(slug)
      assert.ok(pdf.includes(Buffer.from('<b>Le Voyage</b> 月', 'utf16le').swap16().toString('hex')))
      assert.ok(pdf.includes(Buffer.from('A long way. And on.', 'utf16le').swap16().toString('hex')))
      assert.ok(!page.includes('<b>Le'))
    })

    test('shows a placeholder for a page that cannot be read, and for one of 4 gigapixels', async () => {
      const huge = await plainPicture('#ffffff').png().toBuffer()
      huge.writeUInt32BE(65_535, 16)
      huge.writeUInt32BE(65_535, 20)
      const tiff = await plainPicture('#ffffff').tiff().toBuffer()
      const file = await zipOf({
        '1.jpg': await plainPicture('#ffffff').jpeg().toBuffer(),
        '2.jpg': 'not an image',
        '3.png': huge,
        '4.tif': tiff.subarray(0, 60),
        '5.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      })

      const { page_count, failed_pages, status } = await publish(file)

      assert.equal(status, 'ready')
      assert.equal(page_count, 4)
      assert.deepEqual(
        failed_pages?.map(({ page }) => page),
        [2, 3, 4],
      )
    })

    test('has all pages of a TIFF, and keeps greys exactly', async () => {
      const pages = ['#ff0000', '#0000ff'].map((colour) => plainPicture(colour).png().toBuffer())
      const tiff = await sharp(await Promise.all(pages), { join: { animated: true } })
        .tiff({ compression: 'lzw' })
        .toBuffer()
      const grey = await plainPicture('#777777').toColourspace('b-w').tiff({ compression: 'lzw' }).toBuffer()

      const halves = await plainPicture('#000000').extend({ right: 60, background: '#ffffff' }).png().toBuffer()
      const scan = await sharp(halves)
        .toColourspace('b-w')
        .tiff({ compression: 'ccittfax4', predictor: 'none', bitdepth: 1 })
        .toBuffer()

      const coloured = await pageImages((await publish(tiff, 'image/tiff')).slug)
      const { slug } = await publish(grey, 'image/tiff')

      const colours = await Promise.all(coloured.map(colourOf))
      assert.deepEqual(
        colours.map(([red, , blue]) => [red > 240, blue > 240]),
        [
          [true, false],
          [false, true],
        ],
      )
      assert.ok((await pdfOf(slug)).includes('/FlateDecode'))
      const [blackAndWhite] = await pageImages((await publish(scan, 'image/tiff')).slug)
      assert.ok(Math.abs((await colourOf(blackAndWhite))[0] - 127) < 3, 'half of it is black')
      assert.deepEqual(await colourOf((await pageImages(slug))[0]), [0x77, 0x77, 0x77])
    })

    test('is refused with a reason', async () => {
      const picture = await plainPicture('#ffffff').jpeg().toBuffer()
      const encrypted = await zipOf({ '1.jpg': picture })
      encrypted.writeUInt16LE(
        encrypted.readUInt16LE(encrypted.indexOf('PK\x01\x02') + 8) | 1,
        encrypted.indexOf('PK\x01\x02') + 8,
      )
      const bomb = await zipOf({ '1.jpg': picture })
      bomb.writeUInt32LE(400_000_000, bomb.indexOf('PK\x01\x02') + 24)

      assert.equal(await reasonOf(Buffer.from('%PDF-1.7 not an image')), 'not_images')
      assert.equal(await reasonOf(await zipOf({ 'a.txt': 'x' })), 'no_images')
      assert.equal(await reasonOf(encrypted), 'encrypted')
      assert.equal(await reasonOf(bomb), 'unpacks_too_large')
      assert.equal(await reasonOf(picture.subarray(0, 40)), 'damaged')
      assert.equal(await reasonOf((await zipOf({ '1.jpg': picture })).subarray(0, 100)), 'damaged')
    })

    test('has a ticket of its own: path, type of the body and sourceType agree with it', async () => {
      const { pdfPath, storageKey, uploadUrl } = await ticket({ type: 'images' })
      const ask = (body: unknown) => service.request('POST', '/publications/upload-url', body)
      assert.equal(pdfPath, `${service.workspaceId}/${storageKey}.zip`)
      assert.deepEqual(await wrongPlaces(await ask({ type: 'images', path: 'a.pdf' })), ['path'])
      assert.deepEqual(await wrongPlaces(await ask({ type: 'pdf', path: 'a.cbz' })), ['path'])
      assert.match((await ticket({ type: 'images', path: 'comics/Nº 1.cbz' })).pdfPath, /comics\/Nº 1\.cbz$/)

      const picture = await plainPicture('#ffffff').jpeg().toBuffer()
      assert.equal(refusal(await put(uploadUrl, picture)), '415 UNSUPPORTED_MEDIA_TYPE')
      const other = await ticket()
      assert.equal(refusal(await put(other.uploadUrl, picture, ZIP)), '415 UNSUPPORTED_MEDIA_TYPE')
      const { creation } = await upload(await zipOf({ '1.jpg': picture }))
      const response = await service.request('POST', '/publications', { ...creation, sourceType: 'pdf' })
      assert.deepEqual(await wrongPlaces(response), ['sourceType'])
    })

    test('is the same file if it is made of the same pages, whose names are never paths', async () => {
      const picture = await plainPicture('#abcdef').jpeg().toBuffer()
      const evil = await zipOf({ 'aaaaaaaaaaa/1.jpg': picture })
      for (let at = evil.indexOf('aaaaaaaaaaa'); at >= 0; at = evil.indexOf('aaaaaaaaaaa'))
        evil.write('../../../../', at)

      const [first, second] = [await publish(evil), await publish(await zipOf({ '1.jpg': picture }))]

      assert.deepEqual(await pdfOf(first.slug), await pdfOf(second.slug))
    })
  })
}

describe('openPageArchive', () => {
  test('unpacks no more of a file that is no picture than it takes to tell', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'archive-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'pages.zip')
    writeFileSync(path, await zipOf({ '1.jpg': 'x'.repeat(100_000), '2.mp4': 'x'.repeat(5_000_000) }))
    const archive = await openPageArchive(path)
    t.after(() => archive.close())
    const [picture, film] = archive.files

    assert.equal((await picture.read(32, () => true)).length, 100_000)
    const head = await film.read(32, (bytes) => bytes.length < 32)
    assert.ok(head.length >= 32 && head.length < 1_000_000, String(head.length))
  })
})
