import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** A server-sent event as a page gets it. */
export type ReceivedEvent = { event: string; id: string | undefined; data: unknown }

/** The events of an open stream, one after another. */
export type EventReader = {
  /**
   * Returns the events up to and including the next one that matches, without `as-of`, which
   * comes at intervals, unless it is the one.
   */
  until(isLast: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent[]>
  /** Returns true if the server ended the stream after the events read so far. */
  isEnded(): Promise<boolean>
  close(): void
}

/** Opens a stream of events; `lastEventId` is what a browser sends after a broken connection. */
export async function openEvents(url: string, lastEventId?: string, cookie?: string): Promise<EventReader> {
  const controller = new AbortController()
  const headers = {
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    ...(cookie === undefined ? {} : { Cookie: cookie }),
  }
  const response = await fetch(url, { headers, signal: controller.signal })
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  const body = Readable.fromWeb(response.body as ReadableStream).on('error', () => {})
  // Created at once, because lines that arrive before the iterator exists are lost.
  const lines = createInterface({ input: body })[Symbol.asyncIterator]()
  const events = parse(lines)
  return {
    async until(isLast) {
      const seen: ReceivedEvent[] = []
      for (;;) {
        const { value, done } = await events.next()
        if (done) throw new Error(`the stream ended after ${JSON.stringify(seen)}`)
        const isFound = isLast(value)
        if (isFound || value.event !== 'as-of') seen.push(value)
        if (isFound) return seen
      }
    },
    isEnded: async () => (await events.next()).done === true,
    close: () => controller.abort(),
  }
}

async function* parse(lines: AsyncIterable<string, unknown, unknown>): AsyncGenerator<ReceivedEvent, undefined> {
  let fields: Record<string, string> = {}
  for await (const line of lines) {
    const [, name, value] = /^(event|id|data): (.*)$/.exec(line) ?? []
    if (name !== undefined) fields[name] = value
    if (line !== '') continue
    if (fields.data !== undefined)
      yield { event: fields.event ?? 'message', id: fields.id, data: JSON.parse(fields.data) }
    fields = {}
  }
}
