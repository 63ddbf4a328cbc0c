import type { FrameTrack } from '../../src/tracks/frames/frame.ts'
import { encodeFrame } from '../../src/tracks/frames/frame-bytes.ts'
import { createFrameTiles, type Tile } from '../../src/tracks/frames/frame-tiles.ts'

/** Serves 5,001 tracks by frame and by tile. In each frame, one moves in an area of 500, and one outside. */
export async function largeServer() {
  const trackAt = (place: number, number: number): FrameTrack => ({
    id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
    state: 'running',
    position: {
      timeSec: 1000,
      latitude: place < 500 ? place : place + 2000,
      longitude: place % 5000 === 0 ? number : 0,
      heading: 0,
    },
    speed: 0,
    rank: 0,
    details: 1,
    battery: 0,
  })
  const tracksAt = (number: number) => Array.from({ length: 5001 }, (_, place) => trackAt(place, number))
  const rows = new Map<number, { changes: Uint8Array; whole: Uint8Array | null }>()
  for (const [key, numbers] of [
    [1, [1, 2, 3]],
    [6, [6, 7, 8, 9]],
  ] as const) {
    for (const number of numbers) {
      const base = { number, previous: number - 1, asOfMs: number * 2000, delaySec: 0, leftOut: 0 }
      const entries = tracksAt(number).map((track, place) => ({ place, track }))
      const moved = { ...base, key, isWhole: false, entries: entries.filter(({ place }) => place % 5000 === 0) }
      const changes = await encodeFrame(moved, tracksAt(key))
      const whole = number === key ? await encodeFrame({ ...base, key, isWhole: true, entries }, []) : null
      rows.set(number, { changes, whole })
    }
  }
  const tiles = createFrameTiles({ read: async (_, number) => rows.get(number) }, 10_000)
  const newest = (key: number, numbers: number[]) => ({ key, numbers, as_of: 0, lag_ms: 0, interval_sec: 2 })
  const answers = [newest(1, [1]), newest(1, [1, 2]), newest(1, [1, 2, 3]), newest(6, [6]), newest(6, [6, 7])]
  answers.push(newest(6, [6, 7, 8]), newest(6, [6, 7, 8, 9]))
  return {
    baseUrl: 'https://tracks.example.org',
    /** Goes on to the next frame; past the last one, the share has ended. */
    next: () => void answers.shift(),
    async fetch(url: string) {
      const [path, query] = url.split('/frames/')[1].split('?')
      if (answers.length === 0) return new Response('', { status: 410 })
      if (path === 'latest') return Response.json(answers[0])
      const [number, , zoom, x, y] = path.split('/').map(Number)
      const isWhole = query !== undefined
      if (zoom === undefined) return new Response(Buffer.from(rows.get(number)![isWhole ? 'whole' : 'changes']!))
      const part = { tile: { zoom: zoom as Tile['zoom'], x, y }, isWhole, trackId: undefined }
      const found = await tiles.read({ eventId: 'event', delaySec: 0 }, number, part)
      if (found === undefined) return new Response('', { status: 404 })
      return new Response(Buffer.from(await encodeFrame(found.frame, found.key)))
    },
  }
}
