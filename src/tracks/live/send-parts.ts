import type { EncodedEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { MainThreadShare } from '#platform/live/main-thread-share.ts'

/**
 * Time for a viewer to read the part of a snapshot that waits for it, a few hundred kilobytes: 10 kB per second. One
 * that reads more slowly would hold the memory of the snapshot. A snapshot as a whole has no time limit: that of a
 * large event takes minutes on a busy machine, and a viewer that is sent away before its end begins anew.
 */
const PART_TIME_LIMIT_MS = 60_000

/**
 * Sends a viewer the parts of a snapshot, each once it has read most of those before, and ends the stream of one that
 * stops reading.
 * @returns false if the viewer has left
 */
export async function sendParts(
  stream: EventStream,
  parts: readonly EncodedEvents[],
  share: Pick<MainThreadShare, 'forEach'>,
): Promise<boolean> {
  for (const part of parts) {
    if (stream.closed.aborted) return false
    await share.forEach([part], (events) => stream.send(events))
    const drained = stream.drained()
    if (drained !== undefined) await inTime(stream, drained)
  }
  return !stream.closed.aborted
}

async function inTime(stream: EventStream, drained: Promise<void>): Promise<void> {
  // The viewer reconnects.
  const tooSlow = setTimeout(() => stream.end(), PART_TIME_LIMIT_MS).unref()
  await drained
  clearTimeout(tooSlow)
}
