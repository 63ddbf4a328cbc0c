import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { OpenAPIV3_1 } from 'openapi-types'
import { mapsAccess } from '../../src/maps/routes.ts'
import { operatorAccess } from '../../src/operator/access.ts'
import { type OperatorRights, OWNER } from '../../src/operator/model/operator-rights.ts'
import { needsConfirmation, OPERATOR_ROLES, type OperatorRole } from '../../src/platform/credentials/operator-access.ts'
import type { OperatorRule } from '../../src/platform/credentials/operator-rule.ts'
import { publicationsAccess } from '../../src/publications/access.ts'
import { tracksAccess } from '../../src/tracks/access.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'

/** The rule of each operation for operators, as the guard and `docs/access.md` have it. */
const RULES: Readonly<Record<string, OperatorRule>> = Object.assign(
  {},
  ...[operatorAccess, mapsAccess, tracksAccess, publicationsAccess].flatMap((access) => Object.values(access)),
)

/** Operations that open a session, end one, or tell how to sign in. */
const OPEN = [
  'getSignInMethods',
  'signIn',
  'signInWithPasskey',
  'signInWithPasskeyOptions',
  'signInWithProvider',
  'signOutByProvider',
  'signInWithProviderAddress',
  'signInWithSecondFactor',
  'signOut',
  'checkSignInLink',
  'redeemSignInLink',
]

type Operation = OpenAPIV3_1.OperationObject & { method: string; path: string }

describeOn(databases, "the rules of operators' routes", async (database, once) => {
  const clock = { nowMs: Date.now() }
  const service = await startService({ after }, database, { now: () => clock.nowMs, signedIn: true })
  const operations = await operatorOperations(service.url)

  /** Creates an event with a track and a share, and a workspace with a publication. */
  async function makeThings() {
    const event = await service.answer<{ id: string; token: { token: string } }>(201, 'POST', '/operator/events', {
      name: 'Trail',
    })
    const workspace = await service.answer<{ id: string }>(201, 'POST', '/operator/workspaces', { name: 'Press' })
    const response = await fetch(`${service.url}/tracks`, {
      method: 'POST',
      headers: { 'X-API-Key': event.token.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ device_track_id: randomUUID(), activity_type: 'walk' }),
    })
    const track = (await response.json()) as { id: string }
    const share = await service.answer<Share>(201, 'POST', `/operator/events/${event.id}/shares`, {})
    const publication = await storePublication({ ...service, workspaceId: workspace.id })
    return {
      events: event.id,
      workspaces: workspace.id,
      tracks: track.id,
      shares: share.id,
      publications: publication.id,
    }
  }

  /** Returns the browser of an operator who has these rights and last confirmed long ago. */
  async function browserWith(rights: OperatorRights): Promise<Browser> {
    const browser = await signIn(service, rights)
    clock.nowMs += 11 * 60_000
    return browser
  }

  const [mine, others] = [await makeThings(), await makeThings()]
  const limitedTo = { events: [mine.events], workspaces: [mine.workspaces] }
  const browsers = {
    viewer: await browserWith({ role: 'viewer', limitedTo: null }),
    editor: await browserWith({ role: 'editor', limitedTo: null }),
    owner: await browserWith(OWNER),
  }
  const limited = {
    viewer: await browserWith({ role: 'viewer', limitedTo }),
    editor: await browserWith({ role: 'editor', limitedTo }),
  }

  /** Sends a request to an operation, for which the browser says where it comes from. */
  async function send(
    { method, path }: Operation,
    { cookie }: Browser,
    things: Record<string, string>,
    { site = 'same-origin', signal }: { site?: string; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const address = path
      .replace(
        /^\/operator\/(\w+)\/\{id\}/,
        (_all, kind: string) => `/operator/${kind}/${things[kind] ?? randomUUID()}`,
      )
      .replace('{page}', '999')
      .replace(/\{\w+\}/g, randomUUID())
      .replace(/\/shares$/, '/shares?links=masked')
    const headers = { Cookie: cookie, 'Sec-Fetch-Site': site }
    return await fetch(service.url + address, { method: method.toUpperCase(), headers, signal })
  }

  /** Sends a request to an operation and returns the code of its answer; streams are left at once. */
  async function ask(operation: Operation, browser: Browser, things: Record<string, string>): Promise<string> {
    const left = new AbortController()
    const response = await send(operation, browser, things, { signal: left.signal })
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
    const { code = '', needed_role = '' } = isProblem ? ((await response.json()) as Record<string, string>) : {}
    left.abort()
    return code === 'INSUFFICIENT_ROLE' ? `needs ${needed_role}` : code === 'CONFIRMATION_REQUIRED' ? 'confirm' : code
  }

  test('are declared by every route with its effect, and listed here', () => {
    const declared = operations.filter(({ operationId }) => !OPEN.includes(operationId!))

    const wrong = declared
      .map(({ operationId, security }) => [operationId!, security?.[0]?.Session?.[0]])
      .filter(([id, role]) => role !== RULES[id!]?.role)
    assert.ok(declared.length > 90, `${declared.length} routes`)
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      declared.map(({ operationId, description }) => [operationId, declaredEffect(description)]),
      declared.map(({ operationId }) => [operationId, confirmationOf(RULES[operationId!])]),
    )
    assert.deepEqual(
      Object.keys(RULES).filter((id) => !declared.some(({ operationId }) => operationId === id)),
      [],
    )
  })

  for (const operation of operations.filter(({ operationId }) => !OPEN.includes(operationId!))) {
    const { operationId } = operation
    once(`hold for ${operationId}`, async () => {
      const rule = RULES[operationId!]
      const needed = OPERATOR_ROLES.indexOf(rule.role)
      // A sign-in counts as the confirmation that the work of a day needs.
      const isConfirmed = needsConfirmation(rule.effect) && !['releases', 'equips'].includes(rule.effect)
      const isAboutOne = /^\/operator\/(events|workspaces|tracks|shares|publications)\/\{/.test(operation.path)
      const expected = (role: OperatorRole, isLimited: boolean) => {
        const isEnough = OPERATOR_ROLES.indexOf(role) >= needed && !(isLimited && rule.reach === 'everything')
        if (!isEnough) return `needs ${rule.role}`
        return isConfirmed ? 'confirm' : 'admitted'
      }
      const said = (answer: string) => (/^(needs|confirm)/.test(answer) ? answer : 'admitted')

      for (const role of OPERATOR_ROLES) {
        const answer = await ask(operation, browsers[role], others)
        assert.equal(said(answer), expected(role, false), role)
      }
      for (const role of ['viewer', 'editor'] as const) {
        const here = await ask(operation, limited[role], mine)
        // The bin has nothing of their events, and does not say more to anybody who sees only some.
        if (operation.path.startsWith('/operator/bin/')) assert.equal(here, 'NOT_FOUND', `limited ${role}`)
        else assert.equal(said(here), expected(role, true), `limited ${role}`)
        const elsewhere = await ask(operation, limited[role], others)
        if (isAboutOne) assert.equal(elsewhere, 'NOT_FOUND', `limited ${role}, elsewhere`)
        const nowhere = await ask(operation, limited[role], {})
        if (isAboutOne) assert.equal(nowhere, 'NOT_FOUND', `limited ${role}, nowhere`)
      }

      const unknown = await send(operation, createBrowser(service.url), mine)
      await readProblem(unknown, 401, 'UNAUTHORIZED')
      const { headers } = unknown
      assert.match(headers.get('www-authenticate')!, /^Cookie /)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('access-control-allow-origin'), null)
      if (operation.method === 'get') return
      const foreign = await send(operation, browsers.owner, mine, { site: 'cross-site' })
      await readProblem(foreign, 403, 'FORBIDDEN')
    })
  }

  test('leave events and workspaces out of lists that are out of reach', async () => {
    const listed = async (browser: Browser, kind: 'events' | 'workspaces') => {
      const body = (await (await browser.request('GET', `/operator/${kind}`)).json()) as Record<
        string,
        { id: string }[]
      >
      return body[kind].map(({ id }) => id)
    }
    const nobody = await signIn(service, { role: 'editor', limitedTo: { events: [], workspaces: [] } })

    for (const kind of ['events', 'workspaces'] as const) {
      assert.deepEqual(await listed(limited.viewer, kind), [mine[kind]])
      assert.deepEqual(await listed(nobody, kind), [])
      assert.ok((await listed(browsers.viewer, kind)).includes(others[kind]))
    }
  })
})

/** Returns the effects for which the description of a route demands a recent confirmation. */
/** Returns the effects of a rule that need a confirmation, as the API description words them. */
function confirmationOf({ effect, also = [] }: OperatorRule): string {
  if (needsConfirmation(effect)) return effect
  const sometimes = also.filter(needsConfirmation)
  return sometimes.length === 0 ? '' : `sometimes ${sometimes.join(' or ')}`
}

function declaredEffect(description = ''): string {
  const [, age, sometimes, effects = ''] =
    /Needs a (recent confirmation|confirmation within the last 12 hours)(?:( if)|:) it (.*)\./.exec(description) ?? []
  assert.equal(/releases|equips/.test(effects), age?.includes('12 hours') ?? false, description)
  return sometimes === undefined ? effects : `sometimes ${effects}`
}

async function operatorOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenAPIV3_1.Document
  return Object.entries(document.paths ?? {})
    .filter(([path]) => path.startsWith('/operator'))
    .flatMap(([path, item]) =>
      Object.entries(item as Record<string, OpenAPIV3_1.OperationObject>).map(([method, operation]) => ({
        ...operation,
        method,
        path,
      })),
    )
}
