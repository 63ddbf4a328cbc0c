import http from 'node:http'
import https from 'node:https'
import type { Loss } from './batches.ts'

/** A request with the app token. */
export type ApiRequest = { method: 'GET' | 'POST'; path: string; json?: unknown }

/** A complete response; `json` is undefined if the body is empty or not JSON. */
export type Answer = { status: number; headers: http.IncomingHttpHeaders; json: unknown }

/** No response: the connection could not be made, broke, or was cut on purpose (`planned`). */
export class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
  readonly planned: Loss | undefined
  /** The system's name of the failure, such as ECONNREFUSED. */
  readonly code: string

  constructor(message: string, { planned, code = '' }: { planned?: Loss; code?: string } = {}) {
    super(message)
    this.planned = planned
    this.code = code
  }
}

/** Sends one request once. @throws ConnectionLostError, or an AbortError on the signal */
export type Exchange = (request: ApiRequest, loss?: Loss) => Promise<Answer>

/** A server that is silent for this long counts as unreachable. */
const PATIENCE_MS = 30_000

/** Sends requests over kept-alive connections, as a phone does, and cuts those that are planned to fail. */
export function openExchange(url: string, token: string, signal: AbortSignal): Exchange {
  const { Agent, request: open } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true })
  return ({ method, path, json }, loss) => {
    const body = Buffer.from(json === undefined ? '' : JSON.stringify(json))
    const headers = {
      'X-API-Key': token,
      'Content-Length': body.length,
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    const request = open(url + path, { method, headers, agent, signal, timeout: PATIENCE_MS })
    request.on('timeout', () => request.destroy(new Error(`no response within ${PATIENCE_MS / 1000} s`)))
    const answer = answerOf(request, loss === 'answer lost', signal)
    if (loss === 'cut off') sendHalf(request, body)
    else request.end(body)
    return answer
  }
}

function answerOf(request: http.ClientRequest, isThrownAway: boolean, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(signal.aborted ? signal.reason : lostBy(cause))
    request.on('error', fail)
    request.on('response', (response) => {
      if (isThrownAway) return request.destroy(plannedLoss('answer lost'))
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        const json = parseJson(Buffer.concat(chunks).toString())
        resolve({ status: response.statusCode!, headers: response.headers, json })
      })
    })
  })
}

/** Cuts the connection after half of the body, so that the server waits for the rest. */
function sendHalf(request: http.ClientRequest, body: Buffer): void {
  request.write(body.subarray(0, Math.ceil(body.length / 2)), () => request.destroy(plannedLoss('cut off')))
}

function plannedLoss(planned: Loss): ConnectionLostError {
  return new ConnectionLostError(planned, { planned })
}

function lostBy(cause: Error & { code?: string }): ConnectionLostError {
  if (cause instanceof ConnectionLostError) return cause
  return new ConnectionLostError(cause.message || cause.code || cause.name, { code: cause.code })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
