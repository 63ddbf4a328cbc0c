/** The part of a browser that signing in needs: it stores cookies and sends them. */
export type Browser = {
  /** The pair of the session, `name=value`; empty without a cookie. */
  cookie: string
  /** The pair by which the browser is known at sign-in; empty before the first. */
  known: string
  /** The pairs of what was begun and is not finished, by their names. */
  begun: Map<string, string>
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Sends a body that is not JSON. */
  send(
    method: string,
    path: string,
    body: string | Buffer,
    type: string,
    more?: Record<string, string>,
  ): Promise<Response>
}

/** Returns a browser on the server's own pages, without a cookie. */
export function createBrowser(url: string): Browser {
  return {
    cookie: '',
    known: '',
    begun: new Map(),
    async send(method, path, body, type, more = {}) {
      const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: this.cookie, 'Content-Type': type, ...more }
      return await fetch(url + path, { method, headers, body: new Uint8Array(Buffer.from(body)) })
    },
    async request(method, path, json, headers = {}) {
      const cookies = [this.cookie, this.known, ...this.begun.values()].filter((pair) => pair !== '')
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          ...(cookies.length === 0 ? {} : { Cookie: cookies.join('; ') }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const pair = /Max-Age=0;/.test(cookie) ? '' : cookie.split(';')[0]
        const name = cookie.slice(0, cookie.indexOf('='))
        if (name.endsWith('_session')) this.cookie = pair
        else if (name.endsWith('_browser')) this.known = pair
        else this.begun.set(name, pair)
      }
      return response
    },
  }
}
