import { randomBytes } from 'node:crypto'

/** Body of a request: the text of JSON, or a file. */
type Content = string | Uint8Array<ArrayBuffer>

/** Sends requests as a signed-in operator, like the pages of the dashboard. */
export type OperatorSession = {
  request<Answer>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown): Promise<Answer>
  /** Sends a file. */
  upload<Answer>(method: 'POST' | 'PUT', path: string, content: Content, type: string): Promise<Answer>
}

/**
 * Signs in with a sign-in link, which works once. The password is random and is not kept.
 * @throws Error if the server refuses
 */
export async function openOperatorSession(url: string, signInPath: string): Promise<OperatorSession> {
  let cookie = ''

  async function request<Answer>(method: string, path: string, json?: unknown): Promise<Answer> {
    const body = json === undefined ? undefined : JSON.stringify(json)
    return await send(method, path, body, 'application/json')
  }

  async function send<Answer>(method: string, path: string, body: Content | undefined, type: string): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(body === undefined ? {} : { 'Content-Type': type }),
      },
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  const token = new URLSearchParams(new URL(signInPath, url).hash.slice(1)).get('token')
  await request('POST', '/operator/sign-in-link', { token, password: randomBytes(24).toString('base64url') })
  return { request, upload: send }
}
