import type { DetailedError } from 'tus-js-client'
import { storeText } from '../../ui/stored-text.ts'
import { ApiError, setReachable } from '../api/api-error.ts'
import { problemOf } from '../api/request.ts'
import type { FileReplace } from '../generated/types.gen.ts'

/** Smaller files are sent again as a whole in the time that asking takes. */
export const RESUMABLE_ABOVE_BYTES = 16 * 1_048_576

/** The server keeps the part that has arrived for this long. */
const KEPT_MS = 24 * 3_600_000
const KEY = 'resumable-uploads'

/** Waits between attempts; they begin anew whenever bytes have arrived. In all, about ten minutes. */
const RETRY_DELAYS_MS = [0, 500, 1_000, 2_000, 4_000, ...Array.from({ length: 120 }, () => 5_000)]

/** Address of an upload, and the file as the server knows it. */
export type UploadTicket = { address: string; reference: FileReplace }

type KeptTicket = UploadTicket & { atMs: number }

type Options = { signal: AbortSignal; onSent(sentBytes: number): void }

/** Files on their way from this window, which take no second ticket. */
const underWay = new Set<string>()

/**
 * Sends a file by tus, which goes on by itself after an interruption, and where it was once the same file is chosen in
 * another window or after a reload. Throws {@link ApiError}, and the reason of the signal if it aborts.
 */
export async function sendResumable(
  workspaceId: string,
  file: File,
  ask: () => Promise<UploadTicket>,
  options: Options,
): Promise<FileReplace> {
  const name = [workspaceId, file.name, file.size, file.lastModified].join(' ')
  if (underWay.has(name)) return await sendTo(await ask(), file, options)
  underWay.add(name)
  try {
    return await sendKept(name, file, ask, options)
  } catch (error) {
    if (options.signal.aborted || isOver(statusOf(error))) keep(name, undefined)
    throw error
  } finally {
    underWay.delete(name)
  }
}

/** Sends a file with the ticket that an earlier attempt has left, if there is one and the server still knows it. */
async function sendKept(
  name: string,
  file: File,
  ask: () => Promise<UploadTicket>,
  options: Options,
): Promise<FileReplace> {
  const kept = keptTickets()[name]
  const resumed = kept && (await sendTo(kept, file, options).catch(ifGone))
  const ticket = resumed === undefined ? await ask() : undefined
  if (ticket !== undefined) keep(name, { ...ticket, atMs: Date.now() })
  const reference = resumed ?? (await sendTo(ticket!, file, options))
  keep(name, undefined)
  return reference
}

function ifGone(error: unknown): undefined {
  if (![403, 404, 410].includes(statusOf(error))) throw error
}

async function sendTo({ address, reference }: UploadTicket, file: File, options: Options): Promise<FileReplace> {
  await send(address, file, options)
  return reference
}

async function send(address: string, file: File, { signal, onSent }: Options): Promise<void> {
  // Most uploads are smaller.
  const { Upload } = await import('tus-js-client')
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl: address,
      uploadLengthDeferred: true,
      retryDelays: RETRY_DELAYS_MS,
      storeFingerprintForResuming: false,
      onProgress: (sentBytes) => {
        setReachable(true)
        onSent(sentBytes)
      },
      onShouldRetry(error) {
        const status = statusOf(error)
        if (status === 0) setReachable(false)
        return !isOver(status)
      },
      onSuccess: () => resolve(),
      onError: (error) => reject(apiErrorOf(error)),
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(signal.reason)
    })
    upload.start()
  })
}

/** Tells whether an answer ends an upload for good. 409 is an offset, or another window that goes on. */
function isOver(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
}

/** Returns the status of the answer; 0 without one. */
function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.problem?.status ?? 0
  return (error as DetailedError).originalResponse?.getStatus() ?? 0
}

function apiErrorOf(error: Error): ApiError {
  const answer = (error as DetailedError).originalResponse
  if (answer === undefined || answer === null) return new ApiError(undefined)
  return new ApiError(problemOf({ status: answer.getStatus(), statusText: '' }, answer.getBody()))
}

function keptTickets(): Record<string, KeptTicket> {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, KeptTicket>
    return Object.fromEntries(Object.entries(kept).filter(([, { atMs }]) => atMs > Date.now() - KEPT_MS))
  } catch {
    return {}
  }
}

/** Keeps the ticket of an upload, or forgets it. Without storage, an upload goes on as long as its page. */
function keep(name: string, ticket: KeptTicket | undefined): void {
  const { [name]: _, ...others } = keptTickets()
  storeText(KEY, JSON.stringify(ticket === undefined ? others : { ...others, [name]: ticket }))
}
