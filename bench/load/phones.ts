import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import { createTracks, type Target } from '../program/target.ts'
import { Connection } from './connection.ts'

/** A runner's way in a second. */
const SPEED_MPS = 3
const METERS_PER_DEGREE = 111_195
/** Time between two first points. */
const FIRST_EVERY_MS = 2
/** Open files of this process and of the server that are no connections of phones. */
const FILES_BESIDES = 1000

type Phone = { id: string; connection?: Connection; north: number; east: number; heading: number; lastMs: number }

/** A point that was stored: when the phone knew it. `timeMs` is its time, to a second as frames tell it. */
export type SentPoint = { id: string; timeMs: number; answeredMs: number; tookMs: number }

/**
 * Phones of runners, each with a connection of its own, that send a point at regular intervals. Each stays connected,
 * as far as the limit of open files allows; the others connect for each point.
 */
export class Phones {
  readonly #target: Target
  readonly #phones: Phone[]
  readonly #connected = maxOpenFiles() - FILES_BESIDES
  readonly #inTurn = pLimit(FILES_BESIDES / 2)
  #next = 0

  private constructor(target: Target, phones: Phone[]) {
    this.#target = target
    this.#phones = phones
  }

  /** Creates the tracks of so many phones, each with a first point. */
  static async open(target: Target, count: number): Promise<Phones> {
    const ids = await createTracks(target, 'phone', count)
    const phones: Phone[] = []
    for (const [i, id] of ids.entries()) {
      phones.push({
        id,
        north: (i % 50) * 200,
        east: Math.floor(i / 50) * 200,
        heading: i,
        lastMs: Date.now(),
      })
    }
    const all = new Phones(target, phones)
    await all.send(count, Math.max(5000, count * FIRST_EVERY_MS), () => {})
    return all
  }

  /** Has so many phones send a point in the given time, one after another, each in its turn. */
  async send(count: number, durationMs: number, onSent: (point: SentPoint) => void): Promise<void> {
    const startMs = performance.now()
    const sending: Promise<void>[] = []
    for (let i = 0; i < count; i++) {
      const aheadMs = startMs + (durationMs * i) / count - performance.now()
      if (aheadMs > 1) await wait(aheadMs)
      sending.push(this.#sendNext(onSent))
    }
    await Promise.all(sending)
    const leftMs = startMs + durationMs - performance.now()
    if (leftMs > 0) await wait(leftMs)
  }

  /** Has phones send so many points a second, whether or not earlier ones are answered, until the signal is aborted. */
  async sendUntil(signal: AbortSignal, perSec: number, onSent: (point: SentPoint) => void): Promise<void> {
    const startMs = performance.now()
    const sending: Promise<void>[] = []
    while (!signal.aborted) {
      const aheadMs = startMs + (sending.length * 1000) / perSec - performance.now()
      if (aheadMs > 1) await wait(aheadMs)
      sending.push(this.#sendNext(onSent))
    }
    await Promise.all(sending)
  }

  close(): void {
    for (const { connection } of this.#phones) connection?.close()
  }

  async #sendNext(onSent: (point: SentPoint) => void): Promise<void> {
    const i = this.#next++ % this.#phones.length
    const phone = this.#phones[i]
    if (i < this.#connected) return await this.#send(phone, onSent)
    await this.#inTurn(async () => {
      await this.#send(phone, onSent)
      phone.connection?.close()
      phone.connection = undefined
    })
  }

  async #send(phone: Phone, onSent: (point: SentPoint) => void): Promise<void> {
    const nowMs = Date.now()
    const meters = (SPEED_MPS * (nowMs - phone.lastMs)) / 1000
    phone.lastMs = nowMs
    phone.heading += Math.sin(nowMs + phone.north) / 4
    phone.north += meters * Math.cos(phone.heading)
    phone.east += meters * Math.sin(phone.heading)
    // A connection that is opened long before its first request is closed by the server.
    if (phone.connection?.isClosed !== false) phone.connection = await Connection.open(this.#target.url)
    const startMs = performance.now()
    const { status } = await phone.connection.exchange(requestOf(this.#target, phone, nowMs))
    if (status !== 204) throw new Error(`${this.#target.name} answered ${status}`)
    const answeredMs = performance.now()
    const timeMs = Math.floor(nowMs / 1000) * 1000
    onSent({ id: phone.id, timeMs, answeredMs, tookMs: answeredMs - startMs })
  }
}

/** Returns the limit of open files of this process, which its servers have, too. */
function maxOpenFiles(): number {
  const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  return found === null ? Number.POSITIVE_INFINITY : Number(found[1])
}

function requestOf(target: Target, { id, north, east }: Phone, nowMs: number): Buffer {
  const point = {
    latitude: 48.85 + north / METERS_PER_DEGREE,
    longitude: 2.35 + east / (METERS_PER_DEGREE * 0.658),
    timestamp: new Date(nowMs).toISOString(),
    accuracy: 5,
    battery: 0.8,
  }
  const body = JSON.stringify({ points: [point] })
  const head = `POST /tracks/${id}/points HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${target.token}\r\n`
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
}
