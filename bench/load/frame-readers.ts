import { setTimeout as wait } from 'node:timers/promises'
import type { FrameLatest } from '../../src/tracks/frames/schemas.ts'
import type { Target } from '../program/target.ts'
import { Connection } from './connection.ts'

/** Connections that are opened at once. */
const AT_ONCE = 64
const INTERVAL_MS = 2000

/** Spectators of a share that read its frames as the page does, each with a connection of its own, and compressed. */
export class FrameReaders {
  readonly #target: Target
  readonly #path: string
  readonly #connections: Connection[] = []
  bytes = 0
  requests = 0

  constructor(target: Target, shareToken: string) {
    this.#target = target
    this.#path = `/shares/${shareToken}/frames`
  }

  async growTo(count: number): Promise<void> {
    for (const connection of this.#connections.splice(count)) connection.close()
    while (this.#connections.length < count) {
      const more = Math.min(AT_ONCE, count - this.#connections.length)
      const opened = await Promise.all(Array.from({ length: more }, () => Connection.open(this.#target.url)))
      this.#connections.push(...opened)
    }
  }

  /** Has each spectator ask for the newest frame, and read it, every two seconds; they come evenly spread. */
  async readFor(durationMs: number): Promise<void> {
    for (const endMs = performance.now() + durationMs; performance.now() < endMs; ) {
      const startMs = performance.now()
      const { number } = (await (await fetch(`${this.#target.url}${this.#path}/latest`)).json()) as FrameLatest
      const reading: Promise<void>[] = []
      for (const [i, connection] of this.#connections.entries()) {
        const aheadMs = startMs + (INTERVAL_MS * i) / this.#connections.length - performance.now()
        if (aheadMs > 1) await wait(aheadMs)
        reading.push(this.#read(connection, number))
      }
      await Promise.all(reading)
      const leftMs = startMs + INTERVAL_MS - performance.now()
      if (leftMs > 0) await wait(leftMs)
    }
  }

  /** Asks for one address so many times, each spectator for another part of them. */
  async ask(path: string, count: number): Promise<void> {
    const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    let left = count
    const some = this.#connections.slice(0, AT_ONCE).map(async (connection) => {
      while (left-- > 0) await connection.exchange(request)
    })
    await Promise.all(some)
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  async #read(connection: Connection, number: number): Promise<void> {
    for (const name of ['latest', String(number)]) {
      const text = `GET ${this.#path}/${name} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`
      const { status, bytes } = await connection.exchange(Buffer.from(text))
      if (status !== 200) throw new Error(`${this.#target.name} answered ${status} to a spectator`)
      this.bytes += bytes
      this.requests++
    }
  }
}
