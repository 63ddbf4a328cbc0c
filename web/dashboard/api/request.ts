import type { CreateClientConfig } from '../generated/client.gen.ts'
import { ApiError, type ProblemDetails, setReachable } from './api-error.ts'
import { asksForConfirmation, waitForConfirmation } from './confirmation.ts'
import { fetchEarly } from './early-answers.ts'

/** Configures the generated client. Requests go to the server of this page, and throw {@link ApiError}. */
export const createClientConfig: CreateClientConfig = (config) => ({
  ...config,
  headers: { Accept: 'application/json' },
  bodySerializer: (body) => (typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body)),
  fetch: (input, init) => sendConfirmed(new Request(input, init)),
})

/** Body of a request that also takes a list as CSV, in place of its JSON. */
export function csvBody(csv: string) {
  return { body: csv as never, headers: { 'Content-Type': 'text/csv' } }
}

/**
 * Sends a request. Where the server wants the operator to confirm first, it waits for that and sends the request again,
 * so that nothing entered is lost. Throws {@link ApiError} for every failure except an abort.
 */
async function sendConfirmed(request: Request): Promise<Response> {
  const again = request.clone()
  try {
    return await send(request)
  } catch (error) {
    if (!asksForConfirmation(error)) throw error
    await waitForConfirmation(error, again.signal)
    return await send(again)
  }
}

/** Sends a request, unless it was sent early. Throws {@link ApiError} for every failure except an abort. */
export async function send(request: Request): Promise<Response> {
  const response = await fetchEarly(request).catch((cause) => {
    if (request.signal.aborted) throw cause
    setReachable(false)
    throw new ApiError(undefined, { cause })
  })
  setReachable(response.status !== 502 && response.status !== 504)
  if (!response.ok) throw await failureOf(response)
  return response
}

async function failureOf(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const retryAfterSec = Number.isFinite(retryAfter) ? retryAfter : undefined
  return new ApiError(problemOf(response, await response.text().catch(() => '')), { retryAfterSec })
}

/** Reads an answer that is an error. A proxy may respond in its own format; its status counts all the same. */
export function problemOf(
  { status, statusText }: { status: number; statusText: string },
  text: string,
): ProblemDetails {
  const bare = { status, code: '', detail: statusText }
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? { ...bare, ...body, status } : bare
  } catch {
    return bare
  }
}

type SendFileOptions = {
  /** The media type of the file. */
  type: string
  signal: AbortSignal
  onSent(sentBytes: number): void
}

/**
 * Sends a file and reports its progress, which `fetch` cannot. Returns the body of the response. Throws {@link
 * ApiError} for every failure, and the reason of the signal if it aborts.
 */
export function sendFile(
  method: 'PUT' | 'POST',
  address: string,
  file: Blob,
  { type, signal, onSent }: SendFileOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open(method, address)
    sending.setRequestHeader('Content-Type', type)
    sending.setRequestHeader('Accept', 'application/json')
    sending.upload.onprogress = ({ loaded }) => onSent(loaded)
    sending.onload = () => {
      setReachable(sending.status !== 502 && sending.status !== 504)
      if (sending.status >= 200 && sending.status < 300) resolve(sending.responseText)
      else reject(new ApiError(problemOf(sending, sending.responseText)))
    }
    sending.onerror = () => {
      setReachable(false)
      reject(new ApiError(undefined))
    }
    sending.onabort = () => reject(signal.reason)
    signal.throwIfAborted()
    signal.addEventListener('abort', () => sending.abort())
    sending.send(file)
  })
}
