import { setTimeout as wait } from 'node:timers/promises'
import type { FrameLatest } from '../../src/tracks/frames/schemas.ts'
import { Connection } from './connection.ts'

/** Connections that all spectators share, one after another. nginx closes each after 1,000 requests. */
const CONNECTIONS = 100
const SPECTATORS_PER_CONNECTION = 400
/** Interval at which it is looked which frame is the newest. */
const LOOK_MS = 250

/**
 * Has spectators of a share read its newest frame as pages do, each once: its number, and then the frame. A cache sees
 * requests and not who sends them, so that they share connections, and come as fast as the machine allows.
 */
export async function readThroughCache(url: string, shareToken: string, spectators: number): Promise<void> {
  const path = `/shares/${shareToken}/frames`
  const newest = async () => ((await (await fetch(`${url}${path}/latest`)).json()) as FrameLatest).number
  let number = await newest()
  let left = spectators

  const follow = async () => {
    for (; left > 0; await wait(LOOK_MS)) number = await newest()
  }
  const read = async (connection: Connection) => {
    for (const name of ['latest', String(number)]) {
      const text = `GET ${path}/${name} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`
      const { status } = await connection.exchange(Buffer.from(text))
      if (status !== 200) throw new Error(`The cache answered ${status} to a spectator`)
    }
  }
  const readers = Array.from({ length: CONNECTIONS }, async () => {
    while (left > 0) {
      const connection = await Connection.open(url)
      for (let i = 0; i < SPECTATORS_PER_CONNECTION && left > 0; i++) {
        left--
        await read(connection)
      }
      connection.close()
    }
  })
  await Promise.all([...readers, follow()])
}
