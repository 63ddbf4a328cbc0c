import { readFileSync } from 'node:fs'
import { startNginx } from '../../test/support/nginx.ts'
import { readThroughCache } from '../load/cached-readers.ts'
import { signIn } from '../load/operator.ts'
import { Phones } from '../load/phones.ts'
import type { Engine } from '../program/engine.ts'
import { spentDuring } from '../program/processor-time.ts'
import type { Target } from '../program/target.ts'
import type { Figure } from '../report/figure.ts'

const PHONES = 2_000
/** Phones that send within a second, so that twice as many are in each frame. */
const MOVING_PER_SEC = 250
const FRAME_SEC = 2
/** Requests of a spectator for a frame: for its number, and for itself. */
const REQUESTS = 2

/** Measures what a server and nginx as its cache do for spectators who each read the newest frame once. */
export async function measureCache(engine: Engine, spectators: number): Promise<Figure[]> {
  const server = await engine.start({ CONNECTIONS_PER_ADDRESS: '10000' })
  const operator = await signIn(server)
  const share = await operator.ask<{ url: string }>('POST', `/operator/events/${server.eventId}/shares`, {})
  const token = share.url.split('/').at(-1)!
  const phones = await Phones.open(server, PHONES)
  const nginx = await startNginx(server.url)
  const loading = new AbortController()
  const load = phones.sendUntil(loading.signal, MOVING_PER_SEC, () => {})
  // Nobody has waited for the first frame then.
  await readThroughCache(nginx.url, token, 1)

  const before = await framesAnswered(server)
  const startMs = performance.now()
  const spent = await spentDuring(workerOf(nginx.pid), () => readThroughCache(nginx.url, token, spectators))
  const seconds = (performance.now() - startMs) / 1000
  const answered = (await framesAnswered(server)) - before

  loading.abort()
  await load
  phones.close()
  await nginx.stop()
  await server.stop()
  const figures: Figure[] = [
    { what: 'requests to the cache', value: REQUESTS * spectators, unit: '' },
    { what: 'time in which it answered them', value: seconds, unit: 's', beside: `a frame lasts ${FRAME_SEC} s` },
    { what: 'requests to the server', value: answered, unit: '' },
    { what: 'of these in a second', value: answered / seconds, unit: '/s', goal: { atMost: 5 } },
    { what: 'nginx, of one request', value: spent.totalUs / (REQUESTS * spectators), unit: 'µs' },
  ]
  return figures.map((figure) => ({ ...figure, at: spectators }))
}

/** Returns how many requests for frames a server has answered. */
async function framesAnswered({ url }: Target): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = text.matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)
  return [...counts].reduce(
    (sum, [, labels, n]) => sum + (labels.includes('/shares/:token/frames/') ? Number(n) : 0),
    0,
  )
}

/** Returns the one process that answers the requests to nginx. */
function workerOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  // Others look after the files of the cache.
  const worker = children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker process'))
  return Number(worker)
}
