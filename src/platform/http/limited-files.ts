import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { rateLimited, unavailable } from '../basics/errors.ts'
import { ConnectionLimit, type ConnectionLimits } from './connection-limit.ts'
import { contentDisposition } from './content-disposition.ts'

/** Value of `Retry-After` for a refused download. */
const RETRY_AFTER_SEC = 10

/** Sends a file of bytes that are formatted while they are sent. */
export type SendFile = (reply: FastifyReply, file: SentFile) => FastifyReply

type SentFile = {
  caller: string
  contentType: string
  /** Name of the file without its extension. */
  stem: string
  extension: string
  /** Opens the file once it is certain that it is sent. */
  open(): Readable
}

/**
 * Returns a function that sends files, at most so many at once.
 * @param things what is sent, as in "tracks", for the message of a refusal: RATE_LIMIT, or UNAVAILABLE to all
 */
export function limitedFiles(limits: ConnectionLimits, things: string): SendFile {
  const files = new ConnectionLimit(limits)
  return (reply, { caller, contentType, stem, extension, open }) => {
    reply.type(contentType)
    reply.header('content-disposition', contentDisposition('attachment', stem, extension))
    if (reply.request.method === 'HEAD') return reply.send()
    const release = files.hold(caller)
    if (release === undefined) throw tooManyFiles(things, files.isFull)
    reply.raw.once('close', release)
    return reply.send(open())
  }
}

function tooManyFiles(things: string, isFull: boolean) {
  return isFull
    ? unavailable({
        detail: `Too many ${things} are being downloaded. Try again later.`,
        retryAfterSec: RETRY_AFTER_SEC,
      })
    : rateLimited({
        detail: `You are downloading too many ${things} at once. Try again later.`,
        retryAfterSec: RETRY_AFTER_SEC,
      })
}
