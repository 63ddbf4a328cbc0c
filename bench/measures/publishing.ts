import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Figure, mib, ms } from '../figure.ts'
import { peakMemory } from '../process-memory.ts'
import {
  createPublication,
  findPublication,
  imageAddresses,
  newTicket,
  type Published,
  putBytes,
} from '../publish-pdf.ts'
import type { Target } from '../target.ts'

/** Results of publishing a document: times since the request to create it. */
export type Publishing = Published & { createdMs: number; firstImageMs: number; allPagesMs: number; peakBytes: number }

/** Publishes a document and waits for its first image, as a reader would, and for all of its pages. */
export async function publishAndWait(server: Target, pdf: string): Promise<Publishing> {
  const ticket = await newTicket(server)
  await putBytes(ticket.uploadUrl, readFileSync(pdf))
  let publishing: Omit<Publishing, 'peakBytes'> | undefined
  const peakBytes = await peakMemory(server.pid, async () => {
    const startMs = performance.now()
    const { slug } = await createPublication(server, ticket)
    const createdMs = performance.now() - startMs
    const [first] = await imageAddresses(server, slug)
    const image = await fetch(first)
    await image.arrayBuffer()
    if (image.status !== 200) throw new Error(`The first image was answered ${image.status}`)
    const firstImageMs = performance.now() - startMs
    const published = await waitForPages(server, slug)
    publishing = { ...published, createdMs, firstImageMs, allPagesMs: performance.now() - startMs }
  })
  return { ...publishing!, peakBytes }
}

async function waitForPages(server: Target, slug: string): Promise<Published> {
  for (;;) {
    const published = await findPublication(server, slug)
    if (published.pages_ready === published.page_count) return published
    await wait(25)
  }
}

/** Measures one document, compared with poppler if that is installed. */
export async function publishingFigures(pdf: string, publishing: Publishing): Promise<Figure[]> {
  const { page_count, firstImageMs, allPagesMs, createdMs, peakBytes } = publishing
  const document = `${basename(pdf)}, ${page_count} pages`
  const popplerMs = await timePoppler(pdf)
  const pagesPerSec = page_count / (allPagesMs / 1000)
  return [
    {
      what: `${document}: from create to the first page's image`,
      measured: ms(firstImageMs),
      beside: `of which create ${ms(createdMs)}`,
      target: 'below 1 s, aim 0.2 s',
    },
    {
      what: `${document}: from create to all pages`,
      measured: `${(allPagesMs / 1000).toFixed(1)} s${popplerMs === undefined ? '' : `, ${(allPagesMs / popplerMs).toFixed(2)}x pdftoppm`}`,
      beside:
        popplerMs === undefined
          ? 'pdftoppm is not installed here, so there is nothing to compare with'
          : `pdftoppm -r 100 -png ${(popplerMs / 1000).toFixed(1)} s`,
      target: 'at most 2x pdftoppm',
    },
    {
      what: `${document}: pages per second`,
      measured: `${pagesPerSec.toFixed(0)}/s, ${(pagesPerSec / availableParallelism()).toFixed(0)} per core`,
      beside: `${mib(peakBytes)} of memory`,
      target: '',
    },
  ]
}

async function timePoppler(pdf: string): Promise<number | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'poppler-'))
  try {
    const startMs = performance.now()
    await promisify(execFile)('pdftoppm', ['-r', '100', '-png', pdf, join(folder, 'page')])
    return performance.now() - startMs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}
