import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { OpenAPIV3_1 } from 'openapi-types'
import { type OperatorRights, OWNER } from '../../src/operator/domain/operator-rights.ts'
import type { Share } from '../../src/tracks/schemas/shares.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'

const ROLES = ['viewer', 'editor', 'owner'] as const
type Role = (typeof ROLES)[number]

/**
 * The rule of each operation: its role, `everything` if the operator may not be limited, and `confirmed`
 * if it asks for a recent confirmation. The table in docs/operating.md says the same in words. An
 * operation that is not here is for owners.
 */
const RULES: Record<string, `${Role}${'' | ' everything'}${'' | ' confirmed'}`> = {
  getSession: 'viewer',
  getConfirmationMethods: 'viewer',
  confirmSession: 'viewer',
  confirmWithProviderAddress: 'viewer',
  confirmWithProvider: 'viewer',
  changePassword: 'viewer',
  listSessions: 'viewer',
  endSession: 'viewer',
  getSettings: 'viewer',
  listSecondFactors: 'viewer',
  createAuthenticatorApp: 'viewer confirmed',
  addAuthenticatorApp: 'viewer',
  deleteAuthenticatorApp: 'viewer confirmed',
  replaceRecoveryCodes: 'viewer confirmed',
  createConfirmationOptions: 'viewer',
  listPasskeys: 'viewer',
  createPasskeyOptions: 'viewer confirmed',
  createPasskey: 'viewer',
  updatePasskey: 'viewer',
  deletePasskey: 'viewer confirmed',
  listOperators: 'owner',
  createOperator: 'owner confirmed',
  updateOperator: 'owner confirmed',
  deleteOperator: 'owner confirmed',
  createSignInLink: 'owner confirmed',
  getMapSettings: 'owner',
  updateMap: 'owner confirmed',
  deleteMapFile: 'owner confirmed',
  uploadMapFile: 'owner',
  operatorListEvents: 'viewer',
  operatorCreateEvent: 'editor everything',
  operatorGetEvent: 'viewer',
  operatorUpdateEvent: 'editor',
  operatorDeleteEvent: 'editor everything confirmed',
  operatorExportEvent: 'viewer',
  operatorGetReplay: 'viewer',
  operatorWatchEvent: 'viewer',
  operatorListTokens: 'editor',
  operatorCreateToken: 'editor confirmed',
  operatorGetToken: 'editor confirmed',
  operatorRevokeToken: 'editor confirmed',
  operatorRotateTokens: 'editor confirmed',
  operatorListParticipantTokens: 'editor confirmed',
  operatorCreateParticipantTokens: 'editor confirmed',
  operatorListTracks: 'viewer',
  operatorGetTrack: 'viewer',
  operatorUpdateTrack: 'editor',
  operatorDeleteTrack: 'editor confirmed',
  operatorFinishTrack: 'editor',
  operatorGetSeries: 'viewer',
  operatorGetSplits: 'viewer',
  operatorListPoints: 'viewer',
  operatorExportTrack: 'viewer',
  operatorImportTracks: 'editor',
  operatorListShares: 'editor',
  operatorCreateShare: 'editor',
  operatorRevokeShare: 'editor',
  operatorGetRace: 'viewer',
  operatorUpdateRace: 'editor',
  operatorGetCourse: 'viewer',
  operatorReplaceCourse: 'editor',
  operatorDeleteCourse: 'editor confirmed',
  operatorListCheckpoints: 'viewer',
  operatorReplaceCheckpoints: 'editor',
  operatorListRunners: 'viewer',
  operatorReplaceRunners: 'editor',
  operatorUpdateRunner: 'editor',
  operatorGetRanking: 'viewer',
  operatorGetResults: 'viewer',
  operatorListWebhooks: 'editor',
  operatorCreateWebhook: 'editor confirmed',
  operatorUpdateWebhook: 'editor confirmed',
  operatorDeleteWebhook: 'editor confirmed',
  operatorRotateWebhookSecret: 'editor confirmed',
  operatorTestWebhook: 'editor',
  operatorListWebhookDeliveries: 'editor',
  operatorRedeliverWebhook: 'editor',
  operatorListWorkspaces: 'viewer',
  operatorCreateWorkspace: 'editor everything',
  operatorGetWorkspace: 'viewer',
  operatorUpdateWorkspace: 'editor',
  operatorDeleteWorkspace: 'editor everything confirmed',
  operatorGetKey: 'editor confirmed',
  operatorRotateKey: 'editor confirmed',
  operatorListKeys: 'editor',
  operatorCreateKey: 'editor confirmed',
  operatorGetApiKey: 'editor confirmed',
  operatorRevokeKey: 'editor confirmed',
  operatorListPublications: 'viewer',
  operatorWatchLibrary: 'viewer',
  operatorCreateUploadUrl: 'editor',
  operatorCreatePublication: 'editor',
  operatorGetPublication: 'viewer',
  operatorUpdatePublication: 'editor',
  operatorDeletePublication: 'editor confirmed',
  operatorUnpublishPublication: 'editor',
  operatorPublishPublication: 'editor',
  operatorReplacePublicationFile: 'editor',
  operatorListPages: 'viewer',
  operatorGetPageImage: 'viewer',
  operatorGetFigures: 'viewer',
  operatorListPublicationWebhooks: 'editor',
  operatorCreatePublicationWebhook: 'editor confirmed',
  operatorUpdatePublicationWebhook: 'editor confirmed',
  operatorDeletePublicationWebhook: 'editor confirmed',
  operatorRotatePublicationWebhookSecret: 'editor confirmed',
  operatorTestPublicationWebhook: 'editor',
  operatorListPublicationWebhookDeliveries: 'editor',
  operatorRedeliverPublicationWebhook: 'editor',
}

/** Operations that open a session, end one, or tell how to sign in. */
const OPEN = [
  'getSignInMethods',
  'signIn',
  'signInWithPasskey',
  'signInWithPasskeyOptions',
  'signInWithProvider',
  'signInWithProviderAddress',
  'signInWithSecondFactor',
  'signOut',
  'checkSignInLink',
  'redeemSignInLink',
]

type Operation = OpenAPIV3_1.OperationObject & { method: string; path: string }

for (const database of databases) {
  describe(`the rules of operators' routes on ${database.name}`, async () => {
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

    /** Sends a request to an operation and returns the status and the code; streams are left at once. */
    async function ask({ method, path }: Operation, browser: Browser, things: Record<string, string>): Promise<string> {
      const address = path
        .replace(
          /^\/operator\/(\w+)\/\{id\}/,
          (_all, kind: string) => `/operator/${kind}/${things[kind] ?? randomUUID()}`,
        )
        .replace('{page}', '999')
        .replace(/\{\w+\}/g, randomUUID())
      const left = new AbortController()
      const response = await fetch(service.url + address, {
        method: method.toUpperCase(),
        headers: { Cookie: browser.cookie, 'Sec-Fetch-Site': 'same-origin' },
        signal: left.signal,
      })
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
      const { code = '', needed_role = '' } = isProblem ? ((await response.json()) as Record<string, string>) : {}
      left.abort()
      return code === 'INSUFFICIENT_ROLE' ? `needs ${needed_role}` : code === 'CONFIRMATION_REQUIRED' ? 'confirm' : code
    }

    test('are declared by every route, and listed here unless it is for owners', () => {
      const declared = operations.filter(({ operationId }) => !OPEN.includes(operationId!))

      const wrong = declared
        .map(({ operationId, security }) => [operationId!, security?.[0]?.Session?.[0]])
        .filter(([id, role]) => role !== (RULES[id!] ?? 'owner').split(' ')[0])
      assert.ok(declared.length > 90, `${declared.length} routes`)
      assert.deepEqual(wrong, [])
      assert.deepEqual(
        Object.keys(RULES).filter((id) => !declared.some(({ operationId }) => operationId === id)),
        [],
      )
    })

    for (const operation of operations.filter(({ operationId }) => !OPEN.includes(operationId!))) {
      const { operationId } = operation
      test(`hold for ${operationId}`, async () => {
        const rule = RULES[operationId!]
        const needed = ROLES.indexOf((rule?.split(' ')[0] ?? 'owner') as Role)
        const isAboutOne = /^\/operator\/(events|workspaces|tracks|shares|publications)\/\{/.test(operation.path)
        const expected = (role: Role, isLimited: boolean) => {
          const isEnough = ROLES.indexOf(role) >= needed && !(isLimited && rule?.includes('everything'))
          if (!isEnough) return `needs ${ROLES[needed]}`
          return rule?.includes('confirmed') ? 'confirm' : 'admitted'
        }
        const said = (answer: string) => (/^(needs|confirm)/.test(answer) ? answer : 'admitted')

        for (const role of ROLES) {
          const answer = await ask(operation, browsers[role], others)
          if (rule === undefined && role === 'owner') assert.doesNotMatch(answer, /^needs/)
          else assert.equal(said(answer), expected(role, false), role)
        }
        for (const role of ['viewer', 'editor'] as const) {
          const here = await ask(operation, limited[role], mine)
          assert.equal(said(here), expected(role, true), `limited ${role}`)
          const elsewhere = await ask(operation, limited[role], others)
          if (isAboutOne) assert.equal(elsewhere, 'NOT_FOUND', `limited ${role}, elsewhere`)
          const nowhere = await ask(operation, limited[role], {})
          if (isAboutOne) assert.equal(nowhere, 'NOT_FOUND', `limited ${role}, nowhere`)
        }
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
