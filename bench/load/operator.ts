import { randomUUID } from 'node:crypto'
import type { Target } from '../program/target.ts'

/** A signed-in operator: sends requests as the dashboard does, requires success, and returns the body. */
export type Operator = {
  cookie: string
  ask<T>(method: string, path: string, json?: object): Promise<T>
  /** Chooses a map file for the terrain under tracks. */
  chooseTerrain(file: Buffer): Promise<void>
}

/** Makes a link to the live map of the event. @returns its address, and the token at its end */
export async function createShare(operator: Operator, { eventId }: Target): Promise<{ url: string; token: string }> {
  const { url } = await operator.ask<{ url: string }>('POST', `/operator/events/${eventId}/shares`, {})
  return { url, token: url.split('/').at(-1)! }
}

/** Signs in by the link that the first start of a program has printed. */
export async function signIn(target: Target): Promise<Operator> {
  if (target.signInToken === undefined) throw new Error(`${target.name} printed no sign-in link`)
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ token: target.signInToken, password: randomUUID() })
  const answer = await fetch(`${target.url}/operator/sign-in-link`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`Signing in was answered ${answer.status}: ${await answer.text()}`)
  const session = answer.headers.getSetCookie().find((cookie) => /^[^=]*_session=/.test(cookie))
  if (session === undefined) throw new Error('Signing in set no cookie')
  const cookie = session.split(';')[0]
  const send = async <T>(method: string, path: string, type?: string, content?: RequestInit['body']): Promise<T> => {
    const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie, ...(type && { 'Content-Type': type }) }
    const response = await fetch(target.url + path, { method, headers, body: content })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }
  const ask = <T>(method: string, path: string, json?: object) =>
    json === undefined ? send<T>(method, path) : send<T>(method, path, 'application/json', JSON.stringify(json))
  return {
    cookie,
    ask,
    async chooseTerrain(file) {
      const path = '/operator/map/files?name=terrain.pmtiles'
      const { id } = await send<{ id: string }>('POST', path, 'application/vnd.pmtiles', new Uint8Array(file))
      await ask('PUT', '/operator/map', { kind: 'outlines', elevation_file_id: id, elevation_error_m: 0.5 })
    },
  }
}
