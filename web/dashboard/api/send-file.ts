import { ApiError, type ProblemDetails } from './api-error.ts'
import { setReachable } from './reachable.ts'

type Options = {
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
  { type, signal, onSent }: Options,
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
      else reject(new ApiError(problemOf(sending)))
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

/** A proxy may respond in its own format; its status counts all the same. */
function problemOf({ status, statusText, responseText }: XMLHttpRequest): ProblemDetails {
  const bare = { status, code: '', detail: statusText }
  try {
    const body: unknown = JSON.parse(responseText)
    return typeof body === 'object' && body !== null ? { ...bare, ...body, status } : bare
  } catch {
    return bare
  }
}
