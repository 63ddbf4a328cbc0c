import { once } from 'node:events'
import { createReadStream, type PathLike } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream/promises'
import { PublishError, parseJson, refusalOf, unreachable } from './exchange.ts'

/** A file, as inspected before it is sent. */
export type FileToUpload = { path: PathLike; size: number; type?: SourceType }

/** The source of a publication: a PDF, or an archive of images or one image. */
export type SourceType = 'pdf' | 'images'

/** The server tells archives and images from each other by their content. */
const CONTENT_TYPES: Record<SourceType, string> = { pdf: 'application/pdf', images: 'application/zip' }

/** After this long without progress, the server counts as unreachable. */
const STALLED_MS = 120_000

/**
 * Sends a file unchanged to the address of an upload ticket, and reports every part that was sent.
 * @throws RefusedError, UnreachableError, or PublishError if the file cannot be read
 */
export async function uploadFile(
  uploadUrl: string,
  { path, size, type = 'pdf' }: FileToUpload,
  onBytes: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { request: open } = uploadUrl.startsWith('https:') ? https : http
  const headers = { 'Content-Type': CONTENT_TYPES[type], 'Content-Length': size }
  const request = open(uploadUrl, { method: 'PUT', headers, signal, timeout: STALLED_MS })
  request.on('timeout', () => request.destroy(new Error('no answer')))
  const answered = readAnswer(request)
  // A server may refuse before it has read everything. Its response then matters, not the failure to send the rest.
  const sent = sendBytes(request, { path, size }, onBytes)
  const [answer, sending] = await Promise.allSettled([answered, sent])
  signal?.throwIfAborted()
  if (sending.status === 'rejected' && sending.reason instanceof PublishError) throw sending.reason
  if (answer.status === 'rejected')
    throw unreachable(new URL(uploadUrl).origin, answer.reason.code ?? answer.reason.message)
  const { status, text } = answer.value
  if (status !== 200) throw refusalOf('the upload', status, parseJson(text))
}

type BytesToSend = Pick<FileToUpload, 'path' | 'size'>

async function sendBytes(request: http.ClientRequest, file: BytesToSend, onBytes: (bytes: number) => void) {
  await pipeline(readBytes(file, onBytes), request)
}

/** Reads the file with its own error, to distinguish it from failures of the connection. */
async function* readBytes({ path, size }: BytesToSend, onBytes: (bytes: number) => void) {
  if (size === 0) return
  let leftBytes = size
  try {
    for await (const chunk of createReadStream(path, { end: size - 1 })) {
      leftBytes -= chunk.length
      onBytes(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw unreadable((error as NodeJS.ErrnoException).code ?? (error as Error).message)
  }
  // Otherwise the server would wait for the rest.
  if (leftBytes > 0) throw unreadable('it has become shorter')
}

function unreadable(reason: string): PublishError {
  return new PublishError(`The file cannot be read completely (${reason}).`)
}

async function readAnswer(request: http.ClientRequest): Promise<{ status: number; text: string }> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  // Failing to send the rest after the response is not an error.
  request.on('error', () => {})
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return { status: response.statusCode!, text }
}
