import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { FIRST_OBJECT, makePdf, stream } from '../../test/support/make-pdf.ts'
import { startTcpProxy, throughProxy } from '../../test/support/tcp-proxy.ts'
import { uploadByTus } from '../../test/support/tus-upload.ts'
import {
  createPublication,
  deletePublication,
  newTicket,
  publishPdf,
  putBytes,
  untilReadable,
} from '../load/publish-pdf.ts'
import type { MeasuredServer } from '../program/engine.ts'
import { readProcessorTime, timeBetween } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { untilQuiet } from '../program/until-quiet.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Bench, Part } from './part.ts'

const PICTURES = 24
const PICTURE = { width: 1654, height: 2339, channels: 3 as const }
const A4 = { widthPt: 595, heightPt: 842 }
const ROUNDS = 3
const UPLOAD_BYTES = 100_000_000
const CUT_UPLOAD_BYTES = 150_000_000
const CUTS = 5
const QUIET_MS = 1_500
const QUIET_WITHIN_MS = 15_000
const MB = 1_000_000

/** Uploads of images and by tus, compared with PDF and PUT, and the folder for reading offline. */
export const sources: Part = {
  name: 'sources',
  title: 'Images, resumable uploads, and publications taken away',
  engines: 'SQLite',
  async *measure({ engine, pdfs }: Bench) {
    const server = await engine.start({ OCR: 'off' })
    yield await imageFigures(server)
    yield await uploadFigures(server)
    for (const pdf of pdfs) yield [await exportFigure(server, pdf)]
    await server.stop()
  },
}

/** Pictures with coloured detail all over, of A4 at 200 dots an inch. */
async function pictures(): Promise<Buffer[]> {
  const { width, height } = PICTURE
  return await Promise.all(
    Array.from({ length: PICTURES }, () =>
      sharp(randomBytes(100 * 140 * 3), { raw: { width: 100, height: 140, channels: 3 } })
        .resize(width, height, { kernel: 'cubic' })
        .jpeg({ quality: 85 })
        .toBuffer(),
    ),
  )
}

/** A ZIP file of pictures beside a PDF of the same ones, as another program makes it of them. */
async function imageFigures(server: Target): Promise<Figure[]> {
  const jpegs = await pictures()
  const zip = new ZipFile()
  for (const [at, jpeg] of jpegs.entries()) zip.addBuffer(jpeg, `${at + 1}.jpg`, { compress: false })
  zip.end()
  const archive = await buffer(zip.outputStream as unknown as AsyncIterable<Uint8Array>)
  const pdf = pdfOf(jpegs)
  // The first of each also waits for code to be compiled.
  await publishAndWait(server, archive, 'images')
  await publishAndWait(server, pdf, 'pdf')
  const images: Published[] = []
  const pdfs: Published[] = []
  for (let round = 0; round < ROUNDS; round++) {
    images.push(await publishAndWait(server, archive, 'images'))
    pdfs.push(await publishAndWait(server, pdf, 'pdf'))
  }
  const [readable, ofPdf] = [images, pdfs].map((all) => median(all.map(({ readableMs }) => readableMs)))
  const [upload, uploadOfPdf] = [images, pdfs].map((all) => median(all.map(({ uploadMs }) => uploadMs)))
  const ratios = images.map((one, at) => pdfs[at].readableMs / one.readableMs)
  const spent = [images, pdfs].map((all) => median(all.map(({ spentMs }) => spentMs)))
  return [
    {
      what: `${PICTURES} pictures in a ZIP file, from their first byte until all are readable`,
      value: readable / 1000,
      unit: 's',
    },
    { what: 'a PDF of the same pictures, made by another program', value: ofPdf / 1000, unit: 's' },
    {
      what: 'pages a second of pictures, of those of the PDF',
      value: median(ratios),
      unit: 'x',
      goal: { atLeast: 1 },
      beside: `${ROUNDS} pairs: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`,
    },
    {
      what: 'processor time of a picture until it is readable',
      value: spent[0] / PICTURES,
      unit: 'ms',
      beside: `a page of the PDF ${(spent[1] / PICTURES).toFixed(0)} ms`,
    },
    {
      what: 'a picture, added to the upload by making the PDF',
      value: (upload - uploadOfPdf) / PICTURES,
      unit: 'ms',
      beside: `${upload.toFixed(0)} ms of ${(archive.length / MB).toFixed(1)} MB, the PDF ${uploadOfPdf.toFixed(0)} ms`,
    },
  ]
}

type Published = { uploadMs: number; readableMs: number; spentMs: number }

async function publishAndWait(server: Target, file: Buffer, type: 'pdf' | 'images'): Promise<Published> {
  await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
  const ticket = await newTicket(server, type)
  const [startMs, before] = [performance.now(), readProcessorTime(server.pid)]
  await putBytes(ticket.uploadUrl, file, type === 'pdf' ? 'application/pdf' : 'application/zip')
  const uploadMs = performance.now() - startMs
  const { slug } = await createPublication(server, ticket, type)
  await untilReadable(server, slug)
  const readableMs = performance.now() - startMs
  const spent = timeBetween(before, readProcessorTime(server.pid))
  // Its larger images would be made for a long time yet.
  await deletePublication(server, slug)
  return { uploadMs, readableMs, spentMs: spent.totalUs / 1000 }
}

/** Returns a PDF with a picture on each page. */
function pdfOf(jpegs: readonly Buffer[]): Buffer {
  const { width, height } = PICTURE
  const form = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB`
  const objects = jpegs.map((jpeg) => stream(jpeg, `${form} /BitsPerComponent 8 /Filter /DCTDecode`))
  const names = objects.map((_, at) => `/I${at} ${FIRST_OBJECT + at} 0 R`).join(' ')
  const mediaBox = `[0 0 ${A4.widthPt} ${A4.heightPt}]`
  const pages = jpegs.map((_, at) => ({ content: `q ${A4.widthPt} 0 0 ${A4.heightPt} 0 0 cm /I${at} Do Q`, mediaBox }))
  return makePdf({ pages, objects, resources: `/XObject << ${names} >>` })
}

/** Rates of a large file by tus-js-client and by PUT, and a larger one whose connections are closed on the way. */
async function uploadFigures(server: Target): Promise<Figure[]> {
  const file = pdfOfSize(UPLOAD_BYTES)
  const rates = { put: [] as number[], tus: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const { uploadUrl: one } = await newTicket(server)
    rates.put.push(await rateOf(file.length, () => putBytes(one, file)))
    const { uploadUrl: other } = await newTicket(server)
    rates.tus.push(await rateOf(file.length, () => uploadByTus(other, file)))
  }
  const [put, tus] = [median(rates.put), median(rates.tus)]
  return [
    { what: '100 MB by PUT', value: put, unit: 'MB/s' },
    { what: '100 MB by tus', value: tus, unit: 'MB/s' },
    { what: 'tus, of the rate of PUT', value: tus / put, unit: 'x', goal: { atLeast: 0.8 } },
    await cutUpload(server),
  ]
}

async function rateOf(bytes: number, send: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await send()
  return bytes / MB / ((performance.now() - startMs) / 1000)
}

async function cutUpload(server: Target): Promise<Figure> {
  const file = pdfOfSize(CUT_UPLOAD_BYTES)
  const ends: (() => void)[] = []
  const { uploadUrl } = await newTicket(server)
  const proxy = await startTcpProxy({ after: (end) => void ends.push(end as () => void) }, new URL(uploadUrl))
  const cuts = Array.from({ length: CUTS }, () => CUT_UPLOAD_BYTES / (CUTS + 1))
  const startMs = performance.now()
  const offsets = await uploadByTus(throughProxy(uploadUrl, proxy), file, () => {
    const cut = cuts.shift()
    if (cut !== undefined) void proxy.closeAfter(cut)
  })
  const tookMs = performance.now() - startMs
  for (const end of ends) end()
  return {
    what: `150 MB by tus, the connection cut ${CUTS} times`,
    value: tookMs / 1000,
    unit: 's',
    beside: `begun at ${offsets.map((offset) => `${(offset / MB).toFixed(1)} MB`).join(', ')}`,
  }
}

function pdfOfSize(bytes: number): Buffer {
  const file = Buffer.alloc(bytes, 'Bytes after the header. ')
  file.write('%PDF-1.7\n')
  return file
}

/** The time until a folder for reading offline has arrived as a whole. */
async function exportFigure(server: MeasuredServer, pdf: string): Promise<Figure> {
  const { slug, page_count } = await publishPdf(server, pdf)
  const folder = `${server.url}/publications/${slug}/offline`
  const headers = { 'X-API-Key': server.apiKey }
  await untilReadable(server, slug)
  // It is refused until the larger images are made as well.
  while (await isRefused(folder, headers)) await wait(500)
  await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now()
    const answer = await fetch(folder, { headers })
    if (!answer.ok) throw new Error(`The folder was answered ${answer.status}: ${await answer.text()}`)
    bytes = (await answer.arrayBuffer()).byteLength
    times.push(performance.now() - startMs)
  }
  return {
    what: `${page_count} pages as a folder for reading offline`,
    value: median(times) / 1000,
    unit: 's',
    goal: { atMost: 5 },
    beside: `${(bytes / MB).toFixed(1)} MB`,
  }
}

async function isRefused(address: string, headers: Record<string, string>): Promise<boolean> {
  const answer = await fetch(address, { headers })
  await answer.body?.cancel()
  return answer.status === 409
}
