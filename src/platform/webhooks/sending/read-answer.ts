import type { IncomingMessage } from 'node:http'

/** Part of an answer that is kept for the log. The rest is not read. */
const ANSWER_KEPT_BYTES = 4096

/**
 * Reads the beginning of an answer as text. An answer that stops early, or takes longer than the request may, is
 * complete as far as it came: its status is what counts.
 */
export async function readAnswer(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      size += piece.length
      if (size >= ANSWER_KEPT_BYTES) break
    }
  } catch {
    // The status has arrived.
  }
  const text = Buffer.concat(pieces).subarray(0, ANSWER_KEPT_BYTES).toString('utf8')
  // PostgreSQL stores no U+0000.
  return text.replaceAll('\0', '\uFFFD')
}
