import { setTimeout as wait } from 'node:timers/promises'
import { copyPublication } from '../load/copy-publications.ts'
import { writePagesOfText } from '../load/made-document.ts'
import { signIn } from '../load/operator.ts'
import { publishPdf, untilReadable } from '../load/publish-pdf.ts'
import { timedGet } from '../load/timed-get.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Part } from './part.ts'

const PUBLICATIONS = 500
const PAGES = 16
const ROUNDS = 15
const SHELF = '/w/measured'

/** The shelf of a workspace with many publications, and the search in their texts. */
export const shelf: Part = {
  name: 'shelf',
  title: 'A shelf of 500 publications of 16 pages',
  engines: 'both',
  async *measure({ engine, folder }) {
    const installation = await engine.create()
    const first = await installation.start()
    const operator = await signIn(first)
    const { workspaces } = await operator.ask<{ workspaces: { id: string }[] }>('GET', '/operator/workspaces')
    const face = { slug: 'measured', name: 'Measured' }
    await operator.ask('PUT', `/operator/workspaces/${workspaces[0].id}/face`, face)
    const { slug } = await publishPdf(first, writePagesOfText(folder, PAGES))
    await untilReadable(first, slug)
    // Forms that are made after the first one change the rows once more.
    await wait(2_000)
    await first.stop()
    await copyPublication(installation, slug, 1, PUBLICATIONS)
    const server = await installation.start()
    const get = async (path: string) => (await timedGet(server.url + path, {})).completeMs
    await get(SHELF)
    const folding = await get(`${SHELF}?q=importance`)
    const [shelfMs, feedMs, searchMs, nothingMs] = [
      await middle(() => get(SHELF)),
      await middle(() => get(`${SHELF}/feed.xml`)),
      await middle((round) => get(`${SHELF}?q=line%20${round}%20of`)),
      await middle((round) => get(`${SHELF}?q=nowhere${round}`)),
    ]
    await server.stop()
    const figures: Figure[] = [
      { what: 'a page of the shelf', value: shelfMs, unit: 'ms', goal: { atMost: 20 } },
      { what: 'its feed', value: feedMs, unit: 'ms' },
      { what: 'search for words that are in all texts', value: searchMs, unit: 'ms', goal: { atMost: 100 } },
      { what: 'search for a word that is in none', value: nothingMs, unit: 'ms', goal: { atMost: 100 } },
      { what: 'first search, which reads all texts', value: folding, unit: 'ms' },
    ]
    yield figures
  },
}

async function middle(measure: (round: number) => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let round = 1; round <= ROUNDS; round++) values.push(await measure(round))
  return median(values)
}
