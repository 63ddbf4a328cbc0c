import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, median, ms, perSecond, quantile } from '../figure.ts'
import { keepBusy, type Load } from '../keep-busy.ts'
import { startProgram } from '../start-program.ts'
import type { Target } from '../target.ts'

const CONNECTIONS = 32

export type PageImagesOptions = { folder: string; images: readonly string[]; rounds: number; durationMs: number }

/**
 * Measures images of the first pages of a publication over 32 kept-alive connections, taking turns with a bare server that
 * sends one of these images.
 */
export async function measurePageImages(server: Target, options: PageImagesOptions): Promise<Figure[]> {
  const { folder, images, rounds, durationMs } = options
  const sizes = await Promise.all(images.map(async (image) => (await (await fetch(image)).arrayBuffer()).byteLength))
  // The bare server sends the image of median size.
  const size = median(sizes)
  const typical = images[sizes.indexOf(size)]
  const path = join(folder, 'image.jpg')
  writeFileSync(path, Buffer.from(await (await fetch(typical)).arrayBuffer()))
  const bare = await startProgram('bare', 'bench/servers/bare-files-server.ts', { IMAGE: path })
  const request = getRequest(new URL(typical).pathname)
  const ours: Load[] = []
  const others: Load[] = []
  for (let round = 0; round <= rounds; round++) {
    const own = await keepBusy(server, { connections: CONNECTIONS, durationMs, nextRequest: () => request })
    const other = await keepBusy(bare, { connections: CONNECTIONS, durationMs, nextRequest: () => getRequest('/') })
    if (round === 0) continue
    ours.push(own)
    others.push(other)
  }
  await bare.stop()
  const ratio = median(ours.map((load, i) => load.requestsPerSec / others[i].requestsPerSec))
  return [
    {
      what: `page image of ${Math.round(size / 1000)} kB over ${CONNECTIONS} connections, from memory`,
      measured: `${perSecond(median(ours.map((load) => load.requestsPerSec)))}, ${ratio.toFixed(2)} of the bare server`,
      beside: `bare node:http server ${perSecond(median(others.map((load) => load.requestsPerSec)))}; p99 ${ms(median(ours.map(({ latenciesMs }) => quantile(latenciesMs, 0.99))))}`,
      target: 'at least 0.25, aim 0.6',
    },
  ]
}

function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n`)
}
