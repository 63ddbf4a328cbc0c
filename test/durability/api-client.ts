/** A complete response; `json` is null without a body. */
export type Answer = { status: number; json: unknown; headers: Headers }

/** Sends a request with the app token. Returns undefined if the connection broke before the response was complete. */
export type ApiClient = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer | undefined>

/** A request without a response for this long fails the test. */
const PATIENCE_MS = 30_000

export function apiClient(url: string, token: string): ApiClient {
  return async (method, path, json, headers = {}) => {
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          'X-API-Key': token,
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.text()
      return { status: response.status, json: text === '' ? null : JSON.parse(text), headers: response.headers }
    } catch (error) {
      // fetch reports refused, reset and cut connections as a TypeError. Other errors do not concern the connection.
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
}

/** Returns the body of the response. Here the connection must not break. */
export async function answered<Body>(status: number, request: Promise<Answer | undefined>): Promise<Body> {
  const answer = await request
  if (answer?.status !== status) {
    throw new Error(`Expected ${status}, got ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.json)}`)
  }
  return answer.json as Body
}
