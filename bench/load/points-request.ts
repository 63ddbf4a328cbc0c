import type { WirePoint } from '../../test/support/make-points.ts'
import type { Target } from '../program/target.ts'

/** Length of a timestamp from the year to the tens of seconds, which ten points of consecutive seconds share. */
const SHARED_CHARACTERS = '2026-05-03T06:00:0'.length

/** A request with points, as bytes. Moving its points to another time is far cheaper than building a new request. */
export type PointsRequest = {
  bytes: Buffer
  /** Offset of the body. */
  bodyAt: number
  /** Moves the points to the seconds from `startMs`, which must be a multiple of ten seconds. */
  moveTo(startMs: number): void
}

/** Builds a request that adds `points` to a track: one per second, starting at a multiple of ten seconds. */
export function pointsRequest(target: Target, trackId: string, points: readonly WirePoint[]): PointsRequest {
  const body = Buffer.from(JSON.stringify({ points }))
  const head = Buffer.from(
    `POST /tracks/${trackId}/points HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${target.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  const bytes = Buffer.concat([head, body])
  const timesAt = offsetsAfter(bytes, '"timestamp":"')
  return {
    bytes,
    bodyAt: head.length,
    moveTo(startMs) {
      for (let first = 0; first < timesAt.length; first += 10) {
        const shared = new Date(startMs + first * 1000).toISOString().slice(0, SHARED_CHARACTERS)
        const end = Math.min(first + 10, timesAt.length)
        for (let i = first; i < end; i++) bytes.write(shared, timesAt[i], 'latin1')
      }
    },
  }
}

/** Builds a request without a body. */
export function plainRequest(target: Target, method: string, path: string): Buffer {
  const length = method === 'GET' ? '' : 'Content-Length: 0\r\n'
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${target.token}\r\n${length}\r\n`)
}

function offsetsAfter(bytes: Buffer, key: string): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(key); at !== -1; at = bytes.indexOf(key, at)) {
    at += key.length
    offsets.push(at)
  }
  return offsets
}
