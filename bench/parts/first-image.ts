import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  createPublication,
  deletePublication,
  imageAddresses,
  newTicket,
  putBytes,
  type Ticket,
} from '../load/publish-pdf.ts'
import { readProcessorTime, type SpentTime, timeBetween } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { untilQuiet } from '../program/until-quiet.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Part } from './part.ts'

const ROUNDS = 4
/** Time in which a person enters a title after the upload. */
const TITLE_MS = 700
/** The work of the previous round has ended when the program has been quiet for this long. */
const QUIET_MS = 250
const QUIET_WITHIN_MS = 10_000

type Timed = { firstImageMs: number; createdMs: number; spent: SpentTime }

/** The time from the request that creates a publication to its first image, as a reader's browser would fetch it. */
export const firstImage: Part = {
  name: 'first-image',
  title: 'From create to the image of the first page',
  engines: 'both',
  async *measure({ engine, pdfs }) {
    for (const pdf of pdfs) {
      const server = await engine.start()
      await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
      const veryFirst = await timeFirstImage(server, pdf, TITLE_MS)
      const later: Timed[] = []
      const atOnce: Timed[] = []
      for (let round = 0; round < ROUNDS; round++) {
        later.push(await timeFirstImage(server, pdf, TITLE_MS))
        atOnce.push(await timeFirstImage(server, pdf, 0))
      }
      await server.stop()
      const name = basename(pdf)
      yield [
        { ...figure(`${name}, ${TITLE_MS} ms after the upload`, later), goal: { atMost: 100 } },
        { ...figure(`${name}, at once after the upload`, atOnce), goal: { atMost: 200 } },
        figure(`${name}, ${TITLE_MS} ms after the upload, the very first after a start`, [veryFirst]),
      ]
    }
  },
}

function figure(what: string, timed: readonly Timed[]): Figure {
  const createdMs = median(timed.map(({ createdMs }) => createdMs))
  const spentMs = median(timed.map(({ spent }) => spent.totalUs / 1000))
  return {
    what,
    value: median(timed.map(({ firstImageMs }) => firstImageMs)),
    unit: 'ms',
    beside: `of which create ${createdMs.toFixed(0)} ms; processor time of all threads from create to image ${spentMs.toFixed(0)} ms`,
  }
}

/** Publishes a document, waits for its first image, and deletes it, so that its other pages burden no later round. */
async function timeFirstImage(server: Target, pdf: string, pauseMs: number): Promise<Timed> {
  const ticket: Ticket = await newTicket(server)
  await putBytes(ticket.uploadUrl, readFileSync(pdf))
  await wait(pauseMs)
  const before = readProcessorTime(server.pid)
  const startMs = performance.now()
  const { slug } = await createPublication(server, ticket)
  const createdMs = performance.now() - startMs
  const [first] = await imageAddresses(server, slug)
  const image = await fetch(first)
  await image.arrayBuffer()
  if (image.status !== 200) throw new Error(`The first image was answered ${image.status}`)
  const firstImageMs = performance.now() - startMs
  const spent = timeBetween(before, readProcessorTime(server.pid))
  await deletePublication(server, slug)
  await untilQuiet(server.pid, QUIET_MS, QUIET_WITHIN_MS)
  return { firstImageMs, createdMs, spent }
}
