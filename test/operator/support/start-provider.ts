import { createPublicKey, generateKeyPairSync, hash, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Owner } from '../../support/databases.ts'

const CLIENT_ID = 'trackpress'
const CLIENT_SECRET = 'a secret of tests'

/** A person at the provider. Claims replace those of a right ID token; undefined leaves one out. */
export type Person = {
  sub: string
  name?: string
  groups?: string[]
  claims?: Record<string, unknown>
  userInfo?: Record<string, unknown>
}

/** A small OpenID Connect provider with the authorization code flow, PKCE and a confidential client. */
export type Provider = {
  issuer: string
  /** The settings of the program for this provider. */
  settings: Record<string, string>
  /** Who is signed in at the provider. */
  person: Person
  /** True while it does not answer. */
  isAway: boolean
  /** Requests that it has got. */
  requests: number
  /** True for a public client, which has no secret and names itself in the form. */
  isClientPublic: boolean
  /** True to accept codes more than once and from any instance, which a conforming provider does not. */
  takesCodesAgain: boolean
  /** Key that signs; another than the published one makes signatures that are not valid. */
  signingKey: KeyObject
  /** Signs a logout token; claims replace those of a right one, and undefined leaves one out. */
  logoutToken(claims: Record<string, unknown>, header?: Record<string, unknown>): string
  /** Visits the address that a browser was sent to. Returns the query of the address that it is sent back to. */
  visit(url: string, person?: Person): Promise<string>
}

/** Starts the provider. Times in its tokens are real, but for that of authentication. */
export async function startProvider(owner: Owner, authenticatedAtMs: () => number = Date.now): Promise<Provider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { asked: URLSearchParams; person: Person }>()
  const server = createServer((request, response) => {
    provider.requests++
    if (provider.isAway) return request.socket.destroy()
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  owner.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: Provider = {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_ROLES: 'admins=owner, press=editor, staff=viewer',
    },
    person: { sub: 'somebody' },
    isAway: false,
    requests: 0,
    isClientPublic: false,
    takesCodesAgain: false,
    signingKey: privateKey,
    logoutToken(claims, header = {}) {
      const nowSec = Math.floor(Date.now() / 1000)
      const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const right = { iss: issuer, aud: CLIENT_ID, iat: nowSec, exp: nowSec + 120, jti: randomUUID(), events: event }
      return signed({ typ: 'logout+jwt', ...header }, { ...right, ...claims })
    },
    async visit(url, person = provider.person) {
      provider.person = person
      const { headers } = await fetch(url, { redirect: 'manual' })
      return new URL(headers.get('location')!).search
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, issuer)
    if (url.pathname === '/authorize') return sendBack(url.searchParams, response)
    const found = await bodyOf(url.pathname, request)
    response.writeHead(found === undefined ? 400 : 200, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(found ?? { error: 'invalid_grant' }))
  }

  async function bodyOf(path: string, request: IncomingMessage): Promise<object | undefined> {
    if (path === '/.well-known/openid-configuration') return description(issuer)
    if (path === '/jwks') return { keys: [key] }
    if (path === '/userinfo') return { sub: provider.person.sub, ...provider.person.userInfo }
    return exchange(new URLSearchParams(await text(request)), request.headers.authorization)
  }

  function sendBack(asked: URLSearchParams, response: ServerResponse): void {
    const code = randomUUID()
    codes.set(code, { asked, person: provider.person })
    const back = new URL(asked.get('redirect_uri')!)
    back.search = String(new URLSearchParams({ code, state: asked.get('state')! }))
    response.writeHead(302, { location: back.href, connection: 'close' }).end()
  }

  function exchange(form: URLSearchParams, authorization: string | undefined): object | undefined {
    const begun = codes.get(form.get('code')!)
    if (!provider.takesCodesAgain) codes.delete(form.get('code')!)
    const credentials = [CLIENT_ID, CLIENT_SECRET].map((part) => new URLSearchParams({ part }).toString().slice(5))
    const isClient = provider.isClientPublic
      ? authorization === undefined && form.get('client_id') === CLIENT_ID && !form.has('client_secret')
      : authorization === `Basic ${btoa(credentials.join(':'))}`
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    if (!isClient || begun?.asked.get('code_challenge') !== challenge) return undefined
    const isSameSite = begun.asked.get('redirect_uri') === form.get('redirect_uri')
    if (!isSameSite && !provider.takesCodesAgain) return undefined
    return { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken(begun) }
  }

  function idToken({ asked, person }: { asked: URLSearchParams; person: Person }): string {
    const nowSec = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      sub: person.sub,
      aud: CLIENT_ID,
      iat: nowSec,
      exp: nowSec + 300,
      auth_time: Math.floor(authenticatedAtMs() / 1000),
      nonce: asked.get('nonce'),
      preferred_username: person.name,
      groups: person.groups,
      ...person.claims,
    }
    return signed({}, claims)
  }

  function signed(header: Record<string, unknown>, claims: Record<string, unknown>): string {
    const parts = [{ alg: 'RS256', kid: 'k1', ...header }, claims].map((part) => base64url(JSON.stringify(part)))
    const signature = sign('sha256', Buffer.from(parts.join('.')), provider.signingKey)
    return [...parts, signature.toString('base64url')].join('.')
  }

  return provider
}

function base64url(json: string): string {
  return Buffer.from(json).toString('base64url')
}

function description(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }
}
