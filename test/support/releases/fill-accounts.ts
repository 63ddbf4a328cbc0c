import assert from 'node:assert/strict'
import { totpCode, totpStep } from '../../../src/operator/factors/one-time-codes.ts'
import { decodeBase32 } from '../../operator/support/second-factor.ts'
import type { Provider } from '../../operator/support/start-provider.ts'
import { type Ask, asker, type Json, text } from './asker.ts'
import { STORED_BASE_URL, send } from './exchange.ts'
import { createPasskeyDevice } from './passkey-device.ts'

export const PASSWORD = 'a password of a stored installation'

/** What a browser sends with requests of the dashboard's own pages. */
export const FROM_PAGE = { 'sec-fetch-site': 'same-origin' }

type Headers = Record<string, string>

type Options = { url: string; operator: Ask; provider: Provider; eventId: string; workspaceId: string }

/** Makes operators with every role and with every way to sign in. Begins sign-ins that the questions finish. */
export async function fillAccounts({ url, operator, provider, eventId, workspaceId }: Options) {
  const invite = async (name: string, fields: object) => {
    const made = await operator(201, 'POST', '/operator/operators', { name, ...fields })
    return { id: text(made.id), link: /lnk_[\w-]+/.exec(JSON.stringify(made))![0] }
  }
  const { link: unusedLink } = await invite('Camille', { role: 'editor' })
  await asker(url, FROM_PAGE)(401, 'POST', '/operator/session', { name: 'Camille', password: 'not the right one' })
  const limited = await invite('Lou', { role: 'editor' })
  await operator(200, 'PATCH', `/operator/operators/${limited.id}`, {
    role: 'viewer',
    limited_to: { events: [eventId], workspaces: [workspaceId] },
  })
  const withApp = await invite('Dominique', { role: 'viewer' })
  const withPasskey = await invite('Yaël', { role: 'viewer' })
  return {
    unusedLink,
    limited: await redeemLink(url, limited.link),
    withApp: await fillApp(url, withApp.link),
    withPasskey: await fillPasskey(url, withPasskey.link),
    ofProvider: await signInAtProvider(url, provider),
  }
}

/** Redeems a sign-in link. Returns the headers of the session. */
export async function redeemLink(url: string, token: string): Promise<Headers> {
  return (await post(url, '/operator/sign-in-link', { token, password: PASSWORD })).session
}

/** Sends a request of a page, as a browser that keeps the cookies. */
async function post(url: string, path: string, body?: unknown, session: Headers = FROM_PAGE) {
  const answer = await send(url, { name: '', method: 'POST', path, body, headers: session })
  assert.ok(answer.status < 300, `${path}: ${answer.body}`)
  const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0])
  return {
    json: (answer.body.length === 0 ? {} : JSON.parse(answer.body.toString())) as Json,
    session: { ...session, cookie: [session.cookie ?? [], cookies].flat().join('; ') },
  }
}

/** An operator with an authenticator app, who has typed name and password, and whose code is still asked for. */
async function fillApp(url: string, link: string) {
  const session = await redeemLink(url, link)
  const begun = await post(url, '/operator/authenticator-app', undefined, session)
  const secret = decodeBase32(text(begun.json.secret))
  const code = totpCode(secret, totpStep(Date.now()))
  const confirmed = await post(url, '/operator/authenticator-app/confirmation', { code }, session)
  const [recoveryCode] = confirmed.json.recovery_codes as unknown as string[]
  const half = async () => (await post(url, '/operator/session', { name: 'Dominique', password: PASSWORD })).session
  return { session, secret, recoveryCode, halfSignedIn: [await half(), await half()] }
}

/** An operator with a passkey, whose device has answered a request that the server has not seen yet. */
async function fillPasskey(url: string, link: string) {
  const session = await redeemLink(url, link)
  const device = createPasskeyDevice(STORED_BASE_URL)
  const asked = await post(url, '/operator/passkeys/options', undefined, session)
  const created = device.create(text(asked.json.options.challenge))
  const added = await post(url, '/operator/passkeys', { name: 'Laptop', response: created }, asked.session)
  const request = await post(url, '/operator/session/passkey/options', { second_step: false })
  const answer = device.answer(text(request.json.options.challenge), Buffer.from(await ownId(url, session)))
  return { session, id: text(added.json.id), signIn: { session: request.session, body: { response: answer } } }
}

async function ownId(url: string, session: Headers): Promise<string> {
  return text((await asker(url, session)(200, 'GET', '/operator/session')).operator.id)
}

async function signInAtProvider(url: string, provider: Provider): Promise<Headers> {
  const begun = await post(url, '/operator/session/provider/address')
  const query = await provider.visit(text(begun.json.url), { sub: 'person-1', name: 'Noor', groups: ['press'] })
  return (await post(url, '/operator/session/provider', { query }, begun.session)).session
}
