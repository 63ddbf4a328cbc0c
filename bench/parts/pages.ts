import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPublication, imageAddresses, newTicket, putBytes, untilReadable } from '../load/publish-pdf.ts'
import { type Drawn, drawPages, PAGE_TOOLS } from '../program/page-tools.ts'
import { peakMemory } from '../program/process-memory.ts'
import { readProcessorTime, type SpentTime, timeBetween } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { untilQuiet } from '../program/until-quiet.ts'
import type { Figure } from '../report/figure.ts'
import type { Part } from './part.ts'

const FORMS = ['1200.jpg', '1200.webp', '600.jpg', '600.webp']
/** Readers who fetch all images of all pages. */
const READERS = 8
/** All images that are made without being asked for exist when the program has been quiet for this long. */
const QUIET_MS = 1_500
const QUIET_WITHIN_MS = 240_000
/** Processor time of drawing a page or two: less means that all images existed. */
const DRAWING_US = 50_000
const MIB = 1_048_576
const KB = 1000

/** Times since the request to create the publication, and processor time since then. */
type Publishing = {
  pages: number
  readableMs: number
  readableSpent: SpentTime
  formsMs: number
  formsSpent: SpentTime
  peakBytes: number
  /** Average bytes of a page in each form. */
  formBytes: number[]
}

/** All pages of a document, in all formats and widths, compared with tools that draw pages. */
export const allPages: Part = {
  name: 'pages',
  title: 'All pages of a document',
  engines: 'SQLite',
  async *measure({ engine, pdfs, folder }) {
    for (const pdf of pdfs) {
      const server = await engine.start()
      const publishing = await publishAll(server, pdf)
      await server.stop()
      const name = `${basename(pdf)}, ${publishing.pages} pages`
      const poppler = await drawPages(PAGE_TOOLS.pdftoppm, pdf, publishing.pages, folder)
      yield ourFigures(name, publishing, poppler)
      const pageMs = publishing.readableSpent.totalUs / 1000 / publishing.pages
      yield toolFigures(name, PAGE_TOOLS.pdftoppm.name, poppler, pageMs)
      for (const tool of [PAGE_TOOLS.mutool, PAGE_TOOLS.pdfjs]) {
        yield toolFigures(name, tool.name, await drawPages(tool, pdf, publishing.pages, folder), pageMs)
      }
    }
  },
}

function ourFigures(name: string, publishing: Publishing, poppler: Drawn): Figure[] {
  const { pages, readableMs, readableSpent, formsMs, formsSpent, peakBytes, formBytes } = publishing
  return [
    ...timeFigures(`${name}: all pages readable`, { pages, tookMs: readableMs, spent: readableSpent }, poppler, {
      atMost: 0.14,
    }),
    ...timeFigures(`${name}: both formats at both widths`, { pages, tookMs: formsMs, spent: formsSpent }, poppler, {
      atMost: 0.4,
    }),
    { what: `${name}: highest memory`, value: peakBytes / MIB, unit: 'MiB', goal: { atMost: 954 } },
    ...FORMS.map((form, i): Figure => ({ what: `${name}: ${form}`, value: formBytes[i] / KB, unit: 'kB' })),
  ]
}

function timeFigures(
  what: string,
  { pages, tookMs, spent }: { pages: number; tookMs: number; spent: SpentTime },
  poppler: Drawn,
  goal: Figure['goal'],
): Figure[] {
  const threads = [...spent.byKind]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, us]) => `${kind} ${(us / 1000 / pages).toFixed(1)}`)
    .join(', ')
  const cores = spent.totalUs / 1000 / tookMs
  return [
    { what: `${what}, processor time of a page`, value: spent.totalUs / 1000 / pages, unit: 'ms', beside: threads },
    {
      what,
      value: tookMs / 1000,
      unit: 's',
      beside: `${cores.toFixed(2)} of ${availableParallelism()} cores busy with it`,
    },
    ...(poppler === undefined
      ? []
      : [{ what: `${what}, of pdftoppm’s time`, value: tookMs / poppler.wallMs, unit: 'x', goal } satisfies Figure]),
  ]
}

/** `pageMs` is the processor time of a page of ours, as a JPEG and with its text. */
function toolFigures(name: string, tool: string, drawn: Drawn, pageMs: number): Figure[] {
  if (drawn === undefined) {
    process.stdout.write(`  ${tool}: not installed\n`)
    return []
  }
  const { wallMs, processorMs, pages } = drawn
  return [
    {
      what: `${name}: ${tool}, processor time of a page`,
      value: processorMs / pages,
      unit: 'ms',
      beside: `${(wallMs / 1000).toFixed(1)} s for ${pages} pages, on one core`,
    },
    {
      what: `${name}: our processor time of a page until all are readable, of that of ${tool}`,
      value: pageMs / (processorMs / pages),
      unit: 'x',
    },
  ]
}

async function publishAll(server: Target, pdf: string): Promise<Publishing> {
  const ticket = await newTicket(server)
  await putBytes(ticket.uploadUrl, readFileSync(pdf))
  let publishing: Omit<Publishing, 'peakBytes'> | undefined
  const peakBytes = await peakMemory(server.pid, async () => {
    const before = readProcessorTime(server.pid)
    const startMs = performance.now()
    const { slug } = await createPublication(server, ticket)
    const { page_count } = await untilReadable(server, slug)
    const readableMs = performance.now() - startMs
    const readable = readProcessorTime(server.pid)
    const formsMs = (await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)) - startMs
    const forms = readProcessorTime(server.pid)
    const fetched = await fetchForms(await imageAddresses(server, slug))
    const isDrawn = timeBetween(forms, readProcessorTime(server.pid)).us('rendering') > DRAWING_US
    publishing = {
      pages: page_count,
      readableMs,
      readableSpent: timeBetween(before, readable),
      // Images that were only made when they were asked for belong to the time.
      formsMs: isDrawn ? formsMs + fetched.tookMs : formsMs,
      formsSpent: timeBetween(before, isDrawn ? readProcessorTime(server.pid) : forms),
      formBytes: fetched.bytes.map((sum) => sum / page_count),
    }
  })
  return { ...publishing!, peakBytes }
}

/**
 * Fetches all pages in all forms; an image that does not exist yet is made.
 * @returns the time, and the bytes of each form
 */
async function fetchForms(pages: readonly string[]): Promise<{ tookMs: number; bytes: number[] }> {
  const startMs = performance.now()
  const bytes = FORMS.map(() => 0)
  const waiting = pages.entries()
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      for (const [, page] of waiting) {
        for (const [i, form] of FORMS.entries()) {
          const size = await fetchBytes(`${page}/${form}`)
          bytes[i] += size
        }
      }
    }),
  )
  return { tookMs: performance.now() - startMs, bytes }
}

async function fetchBytes(address: string): Promise<number> {
  for (;;) {
    const answer = await fetch(address)
    const { byteLength } = await answer.arrayBuffer()
    if (answer.status === 200) return byteLength
    if (answer.status !== 503) throw new Error(`${address} was answered ${answer.status}`)
    await wait(100)
  }
}
