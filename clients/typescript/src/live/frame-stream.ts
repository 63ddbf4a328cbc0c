import { ShareEndedError } from './share-ended.ts'
import { connect, eventsOf, type StreamAnswer } from './stream-connection.ts'

/** The newest frame as a stream has it: the answer of `latest`, and the frame itself in base64. */
export type SentFrame<Latest> = Latest & { number: number; bytes?: string }

type Options = {
  url: string
  signal: AbortSignal | undefined
  fetch: (url: string, init: { signal: AbortSignal }) => Promise<Partial<StreamAnswer>>
}

/** Answers of the server itself, one after another, after which no cache is taken to be in front of it. */
const FRESH_ANSWERS = 2
/** Longest time until a stream says something. A proxy that holds it back until its end blocks it. */
const FIRST_SILENCE_MS = 10_000
/** Longest silence later on. The server sends a frame every 8 seconds at least, and else a sign of life every 15. */
const SILENCE_MS = 20_000
/** Time after which a stream that was blocked, refused or lost is tried again. */
const FIRST_RETRY_MS = 20_000
const LONGEST_RETRY_MS = 600_000

/**
 * Creates the reader of the stream of frames of a share, beside its addresses. Where a cache answers, the addresses
 * cost the server nothing. Where none does, a stream costs it least.
 */
export function createFrameStream<Latest>({ url, signal, fetch }: Options) {
  let freshAnswers = 0
  let failures = 0
  let notBeforeMs = 0

  /**
   * Takes note of an answer about the newest frame. Returns true if frames should now be read from the stream. An
   * answer with an age comes from a cache (RFC 9111, 5.1).
   */
  function isBetter({ headers, body }: Partial<StreamAnswer>): boolean {
    freshAnswers = headers?.get('Age') === null ? freshAnswers + 1 : 0
    // In React Native, bodies are no streams.
    const canStream = body !== undefined && body !== null
    return canStream && freshAnswers >= FRESH_ANSWERS && now() >= notBeforeMs && !isHidden()
  }

  /** Yields what the stream says until it ends, for whatever reason. @throws ShareEndedError */
  async function* read(): AsyncGenerator<SentFrame<Latest>, void> {
    const connection = connect(signal, FIRST_SILENCE_MS)
    const stopWatching = whenAway(() => connection.close())
    freshAnswers = 0
    // Until the stream has brought something.
    notBeforeMs = now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (1 + Math.random())
    failures++
    try {
      const answer = (await fetch(url, { signal: connection.signal })) as StreamAnswer
      for await (const { event, data } of eventsOf(answer, connection)) {
        if (event === 'ended') throw new ShareEndedError(410)
        if (event !== 'frame') continue
        connection.heard(SILENCE_MS)
        notBeforeMs = 0
        failures = 0
        yield JSON.parse(data) as SentFrame<Latest>
      }
    } catch (error) {
      if (error instanceof ShareEndedError) throw error
      // The connection is lost. The addresses show whether the server is.
    } finally {
      stopWatching()
      connection.close()
    }
  }

  return { isBetter, read }
}

/** Returns the bytes that a stream sends in base64. */
export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

type Page = Partial<EventTarget> & { document?: EventTarget & { visibilityState: string } }

const page = globalThis as unknown as Page

function isHidden(): boolean {
  return page.document?.visibilityState === 'hidden'
}

/**
 * Calls back when a page is no longer seen, or has no network. A hidden page holds no stream: browsers allow few
 * connections to a server, and a phone that wakes finds its streams broken.
 */
function whenAway(away: () => void): () => void {
  const changed = () => {
    if (isHidden()) away()
  }
  page.document?.addEventListener('visibilitychange', changed)
  page.addEventListener?.('offline', away)
  return () => {
    page.document?.removeEventListener('visibilitychange', changed)
    page.removeEventListener?.('offline', away)
  }
}

const now = () => performance.now()
