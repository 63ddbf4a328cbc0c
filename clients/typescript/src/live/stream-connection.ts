import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts'

/** The part of an answer that a stream is read from. */
export type StreamAnswer = {
  status: number
  headers: { get(name: string): string | null }
  body: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } } | null
}

/** A connection that is given up when it is silent for too long. */
export type StreamConnection = {
  /** Aborted when the connection is given up. */
  readonly signal: AbortSignal
  /** Notes that something has come. `silenceMs`: longest silence from now on. */
  heard(silenceMs?: number): void
  close(): void
}

const CHECK_MS = 1_000

/** Begins a connection that ends with `signal`, and after a silence that is too long. */
export function connect(signal: AbortSignal | undefined, silenceMs: number): StreamConnection {
  const aborting = new AbortController()
  const abort = () => aborting.abort()
  let longestMs = silenceMs
  let heardAtMs = Date.now()
  // Timers stand still while a machine sleeps, and the clock does not. The first check after it finds the silence.
  const checks = setInterval(() => {
    if (Date.now() - heardAtMs > longestMs) abort()
  }, CHECK_MS)
  signal?.addEventListener('abort', abort)
  return {
    signal: aborting.signal,
    heard(nextMs = longestMs) {
      longestMs = nextMs
      heardAtMs = Date.now()
    },
    close() {
      clearInterval(checks)
      signal?.removeEventListener('abort', abort)
      abort()
    },
  }
}

/** Yields the events of a stream; none if a captive portal or a proxy has answered in its place. */
export async function* eventsOf(answer: StreamAnswer, connection: StreamConnection): AsyncGenerator<ServerSentEvent> {
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream')
  if (answer.status !== 200 || !isStream || answer.body === null) return
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  const parse = serverSentEvents()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    connection.heard()
    yield* parse(decoder.decode(value, { stream: true }))
  }
}
