/** The part of a browser that signing in needs: it stores the session cookie and sends it. */
export type Browser = {
  /** The pair to send, `name=value`; empty without a cookie. */
  cookie: string
  request(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Response>
}

/** Returns a browser on the server's own pages, without a cookie. */
export function createBrowser(url: string): Browser {
  return {
    cookie: '',
    async request(method, path, json, headers = {}) {
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          ...(this.cookie === '' ? {} : { Cookie: this.cookie }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json === undefined ? undefined : JSON.stringify(json),
      })
      const [cookie] = response.headers.getSetCookie()
      if (cookie !== undefined) this.cookie = /Max-Age=0;/.test(cookie) ? '' : cookie.split(';')[0]
      return response
    },
  }
}
