import { setTimeout as wait } from 'node:timers/promises'
import { writePagesOfText } from '../load/made-document.ts'
import { publishPdf, untilReadable } from '../load/publish-pdf.ts'
import { timedGet } from '../load/timed-get.ts'
import { spentDuring } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import { type Figure, median } from '../report/figure.ts'
import type { Part } from './part.ts'

const PAGES = 16
const ROUNDS = 7
/** Views of each publication in a round. */
const VIEWS = 100

/** A view of a publication that only holders of a link read, beside one that everyone reads. */
export const readingRights: Part = {
  name: 'reading-rights',
  title: 'Views of an open and of a restricted publication',
  engines: 'both',
  async *measure({ engine, folder }) {
    const server = await engine.start()
    const file = writePagesOfText(folder, PAGES)
    const open = await publish(server, file)
    const closed = await publish(server, file)
    const ask = async (method: string, path: string, body: object) => {
      const headers = { 'X-Api-Key': server.apiKey, 'Content-Type': 'application/json' }
      const answer = await fetch(`${server.url}/publications/${closed}${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as { url: string }
    }
    await ask('PATCH', '', { access: 'restricted' })
    const { url } = await ask('POST', '/links', {})
    const cookie = { cookie: `trackpress_link=${new URL(url).searchParams.get('link')}` }
    const views = { open: viewOf(server, open, {}), restricted: viewOf(server, closed, cookie) }
    await Promise.all([views.open(), views.restricted()])
    const spent = { open: [] as number[], restricted: [] as number[] }
    for (let round = 0; round < ROUNDS; round++)
      for (const kind of ['open', 'restricted'] as const) spent[kind].push(await viewUs(server, views[kind]))
    await server.stop()
    const [openUs, restrictedUs] = [median(spent.open), median(spent.restricted)]
    const figures: Figure[] = [
      { what: 'processor time of a view, open', value: openUs, unit: 'µs' },
      { what: 'processor time of a view, restricted, by a link', value: restrictedUs, unit: 'µs' },
      { what: 'restricted, of open', value: restrictedUs / openUs, unit: 'x', goal: { atMost: 1.2 } },
    ]
    yield figures
  },
}

async function publish(server: Target, file: string): Promise<string> {
  const { slug } = await publishPdf(server, file)
  await untilReadable(server, slug)
  // Forms that are made after the first one change the rows once more.
  await wait(1_000)
  return slug
}

/** Returns a view: the page, and the words of its first page. */
function viewOf({ url }: Target, slug: string, headers: Record<string, string>) {
  return async () => {
    await timedGet(`${url}/p/${slug}`, { ...headers, 'accept-encoding': 'gzip' })
    await timedGet(`${url}/publications/${slug}/pages/1`, headers)
  }
}

async function viewUs({ pid }: Target, view: () => Promise<void>): Promise<number> {
  const { totalUs } = await spentDuring(pid, async () => {
    for (let at = 0; at < VIEWS; at++) await view()
  })
  return totalUs / VIEWS
}
