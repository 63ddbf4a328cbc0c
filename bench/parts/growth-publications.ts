import { setTimeout as wait } from 'node:timers/promises'
import { copyPublication } from '../load/copy-publications.ts'
import { writeShortDocument } from '../load/made-document.ts'
import { findPublication, publishPdf } from '../load/publish-pdf.ts'
import { type TimedResponse, timedGet } from '../load/timed-get.ts'
import type { Installation } from '../program/engine.ts'
import { type SpentTime, spentOn } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Part } from './part.ts'
import { sizesUpTo } from './sizes.ts'

const SIZES = [1, 100, 1_000, 10_000]
/** Size at which the list has a target. */
const LISTED = 10_000
const ROUNDS = 15

/** Cost of the list of publications, as a workspace has more and more of them. */
export const growthPublications: Part = {
  name: 'growth-publications',
  title: 'Growth with the publications of a workspace',
  engines: 'both',
  async *measure({ engine, effort, folder }) {
    const installation = await engine.create()
    const first = await installation.start()
    const { slug } = await publishPdf(first, writeShortDocument(folder))
    await untilComplete(first, slug)
    await first.stop()
    let count = 1
    for (const size of sizesUpTo(SIZES, effort.growth.publications)) {
      await copyPublication(installation, slug, count, size)
      count = size
      yield await listFigures(installation, first.apiKey, size)
    }
  },
}

async function untilComplete(server: Target, slug: string): Promise<void> {
  while ((await findPublication(server, slug)).status !== 'ready') await wait(50)
  // Forms that are made after the first one change the rows once more.
  await wait(1_000)
}

async function listFigures(installation: Installation, apiKey: string, size: number): Promise<Figure[]> {
  const server = await installation.start()
  const asked: (TimedResponse & { spent: SpentTime })[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    let response: TimedResponse | undefined
    const spent = await spentOn(server.pid, async () => {
      response = await timedGet(`${server.url}/publications`, { 'X-Api-Key': apiKey })
    })
    if (round > 0) asked.push({ ...response!, spent })
  }
  await server.stop()
  const goal = size === LISTED ? { atMost: 20 } : undefined
  const middle = (of: (one: (typeof asked)[number]) => number) => median(asked.map(of))
  return [
    { what: 'first byte of GET /publications', value: middle((one) => one.firstByteMs), unit: 'ms', at: size, goal },
    { what: 'complete response', value: middle((one) => one.completeMs), unit: 'ms', at: size },
    { what: 'bytes', value: middle((one) => one.bytes) / 1000, unit: 'kB', at: size },
    { what: 'processor time of all threads', value: middle((one) => one.spent.totalUs / 1000), unit: 'ms', at: size },
  ]
}
