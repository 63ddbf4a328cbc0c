import type { Frame, FrameTrack } from '../../src/tracks/frames/frame.ts'
import { encodeFrame } from '../../src/tracks/frames/frame-bytes.ts'

/** Serves frames of one track: two seconds apart, with an hour of points at once, and after two minutes without any. */
export async function frameServer() {
  const id = '00000000-0000-4000-8000-000000000001'
  const trackAt = (timeSec: number): FrameTrack => {
    const position = { timeSec, latitude: timeSec, longitude: 0, heading: 0 }
    return { id, state: 'running', position, speed: 0, rank: 0, details: 1, battery: 0 }
  }
  const make = (number: number, previous: number | null, timeSec: number): Frame => {
    const key = previous === null ? number : 1
    const rest = { delaySec: 0, leftOut: 0, asOfMs: 5_000_000 + number * 2000 }
    return {
      number,
      previous,
      key,
      isWhole: previous === null,
      ...rest,
      entries: [{ place: 0, track: trackAt(timeSec) }],
    }
  }
  const bytes = new Map<string, Uint8Array>()
  for (const frame of [make(1, null, 1000), make(2, 1, 1002), make(3, 2, 4600), make(70, null, 4640)]) {
    bytes.set(`${frame.number}${frame.isWhole ? '?whole=true' : ''}`, await encodeFrame(frame, [trackAt(1000)]))
  }
  const newest = (key: number, numbers: number[]) => {
    return { key, numbers, number: numbers.at(-1)!, as_of: 0, lag_ms: 0, interval_sec: 2 }
  }
  const answers = [newest(1, [1, 2]), newest(1, [1, 2, 3]), newest(70, [70])]
  return {
    baseUrl: 'https://tracks.example.org',
    newest,
    bytesOf: (path: string) => Buffer.from(bytes.get(path)!).toString('base64'),
    next: () => void answers.shift(),
    async fetch(url: string) {
      const path = url.split('/').at(-1)!
      if (path === 'latest') return Response.json(answers[0])
      if (path.startsWith('tracks')) return Response.json({ tracks: [{ id, title: 'One' }], next_cursor: null })
      return new Response(Buffer.from(bytes.get(path)!))
    },
  }
}
