import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepBusy } from '../load/keep-busy.ts'
import { imageAddresses, newTicket, publishPdf, putBytes } from '../load/publish-pdf.ts'
import { type SpentTime, spentDuring } from '../program/processor-time.ts'
import { benchServer, startProgram } from '../program/start-program.ts'
import type { Target } from '../program/target.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Bench, Part } from './part.ts'

const UPLOAD_BYTES = 100_000_000
const CONNECTIONS = 32
/** The image of median size among the first pages is requested again and again. */
const SAMPLED_PAGES = 20

/** Uploads, and images from memory, compared with a bare server that does the same with a file. */
export const delivery: Part = {
  name: 'delivery',
  title: 'Uploads and page images',
  engines: 'SQLite',
  async *measure(bench) {
    const server = await bench.engine.start()
    yield await measureUploads(server, bench)
    yield await measureImages(server, bench)
    await server.stop()
  },
}

type Upload = { tookMs: number; spent: SpentTime }

/** Measures an upload of 100 MB. Ours is counted, hashed, inspected and synced before it is answered. */
async function measureUploads(server: Target, { effort }: Bench): Promise<Figure[]> {
  const bare = await startProgram('bare', benchServer('bare-files-server.ts'))
  const bytes = Buffer.alloc(UPLOAD_BYTES, 'bytes of a file, hardly to be told from others. ')
  bytes.write('%PDF-1.7\n')
  const ours: Upload[] = []
  const theirs: Upload[] = []
  for (let round = 0; round <= effort.loadRounds; round++) {
    const { uploadUrl } = await newTicket(server)
    const own = await timeUpload(server, uploadUrl, bytes)
    const other = await timeUpload(bare, bare.url, bytes)
    if (round === 0) continue
    ours.push(own)
    theirs.push(other)
  }
  await bare.stop()
  const megabytesPerSec = (uploads: Upload[]) => UPLOAD_BYTES / 1000 / median(uploads.map(({ tookMs }) => tookMs))
  const spentMs = (uploads: Upload[]) => median(uploads.map(({ spent }) => spent.totalUs / 1000))
  return [
    { what: 'upload of 100 MB', value: megabytesPerSec(ours), unit: 'MB/s' },
    {
      what: 'upload of 100 MB, of the bare server’s rate',
      value: median(ours.map(({ tookMs }, i) => theirs[i].tookMs / tookMs)),
      unit: 'x',
      goal: { atLeast: 0.5, aim: 0.9 },
      beside: `bare node:http server writing to a file ${megabytesPerSec(theirs).toFixed(0)} MB/s, without a sync`,
    },
    {
      what: 'upload of 100 MB, processor time of all threads',
      value: spentMs(ours),
      unit: 'ms',
      beside: `bare server ${spentMs(theirs).toFixed(0)} ms`,
    },
  ]
}

async function timeUpload(target: Target, url: string, bytes: Buffer): Promise<Upload> {
  let tookMs = 0
  const spent = await spentDuring(target.pid, async () => {
    const startMs = performance.now()
    await putBytes(url, bytes)
    tookMs = performance.now() - startMs
  })
  return { tookMs, spent }
}

/** Measures one image over 32 kept-alive connections. */
async function measureImages(server: Target, { pdfs, folder, effort }: Bench): Promise<Figure[]> {
  const { slug } = await publishPdf(server, pdfs[0])
  const pages = (await imageAddresses(server, slug)).slice(0, SAMPLED_PAGES)
  const images = await Promise.all(pages.map(async (page) => Buffer.from(await (await fetch(page)).arrayBuffer())))
  const size = median(images.map(({ length }) => length))
  const typical = images.findIndex(({ length }) => length === size)
  const path = join(folder, 'image.jpg')
  writeFileSync(path, images[typical])
  const bare = await startProgram('bare', benchServer('bare-files-server.ts'), { IMAGE: path })
  const ours: Loaded[] = []
  const theirs: Loaded[] = []
  for (let round = 0; round <= effort.loadRounds; round++) {
    const own = await timeImages(server, new URL(pages[typical]).pathname, effort.loadMs)
    const other = await timeImages(bare, '/', effort.loadMs)
    if (round === 0) continue
    ours.push(own)
    theirs.push(other)
  }
  await bare.stop()
  return [
    {
      what: 'page image from memory, images per second',
      value: median(ours.map(({ perSec }) => perSec)),
      unit: '/s',
      beside: `${Math.round(size / 1000)} kB over ${CONNECTIONS} connections`,
    },
    {
      what: 'page image from memory, of the bare server’s rate',
      value: median(ours.map(({ perSec }, i) => perSec / theirs[i].perSec)),
      unit: 'x',
      goal: { atLeast: 0.25, aim: 0.6 },
    },
    {
      what: 'page image from memory, main thread',
      value: median(ours.map(({ mainUs }) => mainUs)),
      unit: 'µs',
      beside: `bare server ${median(theirs.map(({ mainUs }) => mainUs)).toFixed(0)} µs`,
    },
  ]
}

type Loaded = { perSec: number; mainUs: number }

async function timeImages(target: Target, path: string, durationMs: number): Promise<Loaded> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n`)
  const load = { requests: 0, requestsPerSec: 0 }
  const spent = await spentDuring(target.pid, async () => {
    Object.assign(load, await keepBusy(target, { connections: CONNECTIONS, durationMs, nextRequest: () => request }))
  })
  return { perSec: load.requestsPerSec, mainUs: spent.us('main') / load.requests }
}
