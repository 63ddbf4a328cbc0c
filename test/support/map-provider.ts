import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import type { Owner } from './databases.ts'

/** Starts a provider on this machine: a style on one port, whose tiles, sprite and fonts are on another. */
export async function startMapProvider(owner: Owner): Promise<{ url: string; tilesUrl: string }> {
  const fill = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#00f' } })
    .png()
    .toBuffer()
  const tilesUrl = await listen(owner, (path) =>
    path === '/tiles.json'
      ? JSON.stringify({ tilejson: '3.0.0', tiles: [`${tilesUrl}/{z}/{x}/{y}.png`] })
      : path.endsWith('.png')
        ? fill
        : undefined,
  )
  const style = {
    version: 8,
    sources: { sea: { type: 'raster', url: `${tilesUrl}/tiles.json`, tileSize: 256 } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#008000' } },
      { id: 'sea', type: 'raster', source: 'sea' },
    ],
  }
  const url = await listen(owner, (path) => (path === '/style.json' ? JSON.stringify(style) : undefined))
  return { url, tilesUrl }
}

async function listen(owner: Owner, answer: (path: string) => string | Buffer | undefined): Promise<string> {
  const server = createServer(({ url = '/' }, response) => {
    const body = answer(url)
    response.setHeader('access-control-allow-origin', '*')
    response.statusCode = body === undefined ? 404 : 200
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  owner.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
