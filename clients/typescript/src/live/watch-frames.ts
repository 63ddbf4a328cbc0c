import { bytesOf, createFrameStream, type SentFrame } from './frame-stream.ts'
import type { TileReader } from './frame-tiles.ts'
import { createFrameReader, type Frame, type FrameReader, type FrameTrack } from './frames.ts'
import { ShareEndedError } from './share-ended.ts'
import type { StreamAnswer } from './stream-connection.ts'

/** `headers` and `body` are needed to read the stream of frames where that is better. */
type FramesResponse = Partial<StreamAnswer> & {
  status: number
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Settings of the reader. */
export type WatchFramesOptions = Source & {
  /** Ends the reading. */
  signal?: AbortSignal
  fetch?: (url: string, init: { signal?: AbortSignal }) => Promise<FramesResponse>
  /** Reads an event of very many tracks in parts. Made by `readTiles`. */
  tiles?: (read: (path: string) => Promise<ArrayBuffer | undefined>) => TileReader
  /** Waits before the next request, by default for the time alone. A page may wait until somebody looks at it. */
  pause?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

type Source =
  | {
      /** Address of the server, such as `https://tracks.example.org`. */
      baseUrl: string
      /** Token of the share, the last part of its link. */
      shareToken: string
    }
  | {
      /** Address of the frames, the one of `latest` without its last part. */
      framesUrl: string
    }

/** A frame that has been read, or a lost connection. */
export type FrameEvent =
  | {
      name: 'frame'
      frame: Frame
      /** All tracks as of this frame, by their ids. They are put together when they are first read. */
      readonly tracks: ReadonlyMap<string, FrameTrack>
      /**
       * The newest frame: the time of its state by the server's clock, its age, and the time until the next one. If it
       * is many seconds old, the server is busy.
       */
      newest: { asOfMs: number; lagMs: number; intervalMs: number }
    }
  /** The connection is lost, and reading goes on after this time. */
  | { name: 'disconnected'; retryMs: number }

/** The answer of `…/frames/latest`. */
type Latest = { key: number; numbers: number[]; as_of: string; lag_ms: number; interval_sec: number }

const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
const SHORTEST_PAUSE_MS = 500
/** Time from when a frame is due until it is in most caches. Everybody asks at another moment of it. */
const SPREAD_MS = 600
/** All streams of a server end with it. Their readers do not come back at the same moment. */
const RETURN_MS = 2_000
/** Most numbers from a frame to the next: 8 s on a busy server, and one that was late. */
const MAX_STEP = 8
/** A request that takes longer has lost its connection, as when a phone slept. */
const TIMEOUT_MS = 20_000

/**
 * Reads the frames of a share, and goes on after lost connections:
 * `for await (const event of watchFrames({ baseUrl, shareToken })) …`. Ends when `signal` is aborted.
 *
 * Reads their addresses, which caches keep. Where the server itself answers these, it reads the stream of frames
 * instead, and the addresses again if the stream ends or is blocked.
 * @throws ShareEndedError
 */
export async function* watchFrames(options: WatchFramesOptions): AsyncGenerator<FrameEvent, void> {
  const reader = createFrameReader()
  const url = framesUrlOf(options).replace(/frames$/, 'live?frames=bytes')
  const stream = createFrameStream<Latest>({ url, signal: options.signal, fetch: sendOf(options) })
  const tiles = options.tiles?.((path) => readFrame(options, path))
  const eventsOf = async function* (latest: Latest, frames: AsyncIterable<Frame>): AsyncGenerator<FrameEvent, void> {
    for await (const frame of frames) {
      const tracksOfFrame = tiles?.tracksOf(frame, reader) ?? reader.tracksLater()
      const newest = newestOf(latest)
      yield {
        name: 'frame',
        frame,
        get tracks() {
          return tracksOfFrame()
        },
        newest,
      }
    }
  }
  let failures = 0
  while (!options.signal?.aborted) {
    let pauseMs: number
    try {
      const [latest, answer] = await readLatest(options)
      yield* eventsOf(latest, tiles?.next(latest.numbers) ?? newFrames(options, reader, latest))
      failures = 0
      if (stream.isBetter(answer) && !tiles?.areWanted()) {
        for await (const sent of stream.read()) {
          yield* eventsOf(sent, sentFrames(options, reader, sent))
          if (tiles?.areWanted()) break
        }
        pauseMs = RETURN_MS * Math.random()
      } else {
        const untilDueMs = latest.interval_sec * 1000 - latest.lag_ms
        pauseMs = Math.max(SHORTEST_PAUSE_MS, untilDueMs + SPREAD_MS * Math.random())
      }
    } catch (error) {
      if (error instanceof ShareEndedError) throw error
      if (options.signal?.aborted) return
      pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (1 - Math.random() / 2)
      failures++
      yield { name: 'disconnected', retryMs: pauseMs }
    }
    await (options.pause ?? pause)(pauseMs, options.signal)
  }
}

/** Yields the frame that a stream has sent, or reads what the reader lacks if that frame does not follow. */
async function* sentFrames(options: WatchFramesOptions, reader: FrameReader, sent: SentFrame<Latest>) {
  const { number, bytes } = sent
  const isLater = number > (reader.number() ?? Number.POSITIVE_INFINITY)
  const frame = isLater && bytes !== undefined ? await reader.takeInSlices(bytesOf(bytes)) : undefined
  if (frame === undefined) yield* newFrames(options, reader, sent)
  else yield frame
}

/** Yields the frames that the reader lacks. If the first of them does not follow, it begins with the key frame. */
async function* newFrames(options: WatchFramesOptions, reader: FrameReader, { key, numbers }: Latest) {
  const known = reader.number()
  if (known === undefined || known < key - MAX_STEP) yield* take(options, reader, `${key}?whole=true`)
  for (const number of numbers) {
    if (number > (reader.number() ?? 0)) yield* take(options, reader, String(number))
    if (number === key && !numbers.includes(reader.number() ?? 0)) yield* take(options, reader, `${key}?whole=true`)
  }
}

/** Yields a frame. One that is gone, or does not follow, is left out: then the next turn begins with a key frame. */
async function* take(options: WatchFramesOptions, reader: FrameReader, path: string) {
  const bytes = await readFrame(options, path)
  const frame = bytes && (await reader.takeInSlices(new Uint8Array(bytes)))
  if (frame !== undefined) yield frame
}

function readFrame(options: WatchFramesOptions, path: string): Promise<ArrayBuffer | undefined> {
  return read(options, `${framesUrlOf(options)}/${path}`, (response) => response.arrayBuffer())
}

/** Reads which frame is the newest. @throws ShareEndedError */
async function readLatest(options: WatchFramesOptions): Promise<[Latest, FramesResponse]> {
  const found = await read(options, `${framesUrlOf(options)}/latest`, async (response) => [
    await response.json(),
    response,
  ])
  if (found === undefined) throw new ShareEndedError(404)
  return found as [Latest, FramesResponse]
}

/** Reads an address of a share; undefined for what is not there. @throws ShareEndedError */
export function readFromShare<Body>(
  { baseUrl, shareToken, ...reading }: Reading & { baseUrl: string; shareToken: string },
  path: string,
  bodyOf: (response: FramesResponse) => Promise<Body>,
): Promise<Body | undefined> {
  return read(reading, `${shareUrlOf(baseUrl, shareToken)}/${path}`, bodyOf)
}

type Reading = Pick<WatchFramesOptions, 'signal' | 'fetch'>

async function read<Body>(
  { signal, ...reading }: Reading,
  url: string,
  bodyOf: (response: FramesResponse) => Promise<Body>,
): Promise<Body | undefined> {
  const send = sendOf(reading)
  const aborting = new AbortController()
  const abort = () => aborting.abort()
  const timer = setTimeout(abort, TIMEOUT_MS)
  signal?.addEventListener('abort', abort)
  try {
    const response = await send(url, { signal: aborting.signal })
    const { status } = response
    if (status === 410) throw new ShareEndedError(status)
    if (status === 404) return undefined
    if (status !== 200) throw new Error(`The server answered ${status}.`)
    return await bodyOf(response)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function sendOf({ fetch: given }: Pick<WatchFramesOptions, 'fetch'>) {
  return given ?? ((url: string, init: { signal?: AbortSignal }): Promise<FramesResponse> => fetch(url, init))
}

function framesUrlOf(source: Source): string {
  if ('framesUrl' in source) return source.framesUrl
  return `${shareUrlOf(source.baseUrl, source.shareToken)}/frames`
}

function shareUrlOf(baseUrl: string, shareToken: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/shares/${encodeURIComponent(shareToken)}`
}

function newestOf({ as_of, lag_ms, interval_sec }: Latest) {
  return { asOfMs: Date.parse(as_of), lagMs: lag_ms, intervalMs: interval_sec * 1000 }
}

/** Waits for a time, in a page only until its connection is back. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const page = globalThis as unknown as Partial<EventTarget>
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      page.removeEventListener?.('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
    page.addEventListener?.('online', end)
  })
}
