import { ApiError, type ProblemDetails } from './api-error.ts'
import { asksForConfirmation, waitForConfirmation } from './confirmation.ts'
import { setReachable } from './reachable.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Options = {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of JSON. */
  file?: { type: string; content: Blob | string }
  signal?: AbortSignal
  headers?: Record<string, string>
}

/**
 * Sends a request to the server of this page. Returns the decoded body; undefined if there is none. Where the server
 * wants the operator to confirm first, it waits for that and sends the request again, so that nothing entered is lost.
 * Throws {@link ApiError} for every failure except an abort.
 */
export async function request<Answer>(method: Method, path: string, options: Options = {}): Promise<Answer> {
  try {
    return await requestOnce(method, path, options)
  } catch (error) {
    if (!asksForConfirmation(error)) throw error
    await waitForConfirmation(error, options.signal)
    return await requestOnce(method, path, options)
  }
}

async function requestOnce<Answer>(method: Method, path: string, options: Options): Promise<Answer> {
  const response = await send(method, path, options)
  setReachable(response.status !== 502 && response.status !== 504)
  if (!response.ok) throw await failureOf(response)
  if (response.status === 204) return undefined as Answer
  return (await response.json()) as Answer
}

async function send(method: Method, path: string, { body, file, signal, headers }: Options): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      signal,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(file === undefined ? {} : { 'Content-Type': file.type }),
        ...headers,
      },
      body: file?.content ?? (body === undefined ? undefined : JSON.stringify(body)),
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    setReachable(false)
    throw new ApiError(undefined, { cause })
  }
}

async function failureOf(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const retryAfterSec = Number.isFinite(retryAfter) ? retryAfter : undefined
  return new ApiError(await problemOf(response), { retryAfterSec })
}

/** A proxy may respond in its own format; its status counts all the same. */
async function problemOf(response: Response): Promise<ProblemDetails> {
  const bare = { status: response.status, code: '', detail: response.statusText }
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? { ...bare, ...body, status: response.status } : bare
  } catch {
    return bare
  }
}
