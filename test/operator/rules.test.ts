import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { OpenAPIV3_1 } from 'openapi-types'
import { type OperatorRights, OWNER } from '../../src/operator/domain/operator-rights.ts'
import type { OperatorEffect } from '../../src/platform/http/operators/operator-effect.ts'
import type { Share } from '../../src/tracks/schemas/shares.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'

const ROLES = ['viewer', 'editor', 'owner'] as const
type Role = (typeof ROLES)[number]

type Confirmed = Exclude<OperatorEffect, 'reads' | 'changes'>
type Rule = `${Role}${'' | ' everything'}${'' | ` ${Confirmed}` | ` sometimes ${Confirmed}${'' | ` or ${Confirmed}`}`}`

/**
 * The rule of each operation: its role, `everything` if the operator may not be limited, and the effects that need a
 * recent confirmation, `sometimes` if it depends on what is asked for. An operation without one reads, or
 * can be taken back. The table in docs/operating.md says the same in words.
 */
const RULES: Record<string, Rule> = {
  getSession: 'viewer',
  getConfirmationMethods: 'viewer',
  confirmSession: 'viewer',
  confirmWithProviderAddress: 'viewer',
  confirmWithProvider: 'viewer',
  changePassword: 'viewer',
  listSessions: 'viewer',
  endSession: 'viewer',
  getSettings: 'viewer',
  getUpkeep: 'owner',
  confirmClock: 'owner erases',
  listSecondFactors: 'viewer',
  createAuthenticatorApp: 'viewer admits',
  addAuthenticatorApp: 'viewer',
  deleteAuthenticatorApp: 'viewer erases',
  replaceRecoveryCodes: 'viewer admits',
  createConfirmationOptions: 'viewer',
  listPasskeys: 'viewer',
  createPasskeyOptions: 'viewer admits',
  createPasskey: 'viewer',
  updatePasskey: 'viewer',
  deletePasskey: 'viewer erases',
  listOperators: 'owner',
  createOperator: 'owner admits',
  updateOperator: 'owner admits',
  deleteOperator: 'owner erases',
  createSignInLink: 'owner admits',
  getMapSettings: 'owner',
  updateMap: 'owner publishes',
  deleteMapFile: 'owner erases',
  uploadMapFile: 'owner',
  listAuditRecords: 'owner',
  exportAuditLog: 'owner exports',
  operatorGetErasurePreview: 'owner',
  operatorCreateErasure: 'owner erases',
  operatorListErasures: 'owner',
  operatorGetErasure: 'owner',
  operatorCheckErasureReceipt: 'owner',
  operatorListEvents: 'viewer',
  operatorCreateEvent: 'editor everything',
  operatorGetEvent: 'viewer',
  operatorUpdateEvent: 'editor sometimes erases or publishes',
  operatorDeleteEvent: 'editor everything erases',
  operatorExportEvent: 'viewer exports',
  operatorGetReplay: 'viewer',
  operatorWatchEvent: 'viewer',
  operatorListTokens: 'editor',
  operatorCreateToken: 'editor admits',
  operatorGetToken: 'editor exports',
  operatorRevokeToken: 'editor erases',
  operatorRotateTokens: 'editor admits',
  operatorListParticipantTokens: 'editor exports',
  operatorCreateParticipantTokens: 'editor admits',
  operatorListTracks: 'viewer',
  operatorGetTrack: 'viewer',
  operatorUpdateTrack: 'editor sometimes publishes',
  operatorDeleteTrack: 'editor erases',
  operatorFinishTrack: 'editor',
  operatorGetSeries: 'viewer',
  operatorGetSplits: 'viewer',
  operatorListPoints: 'viewer',
  operatorExportTrack: 'viewer',
  operatorImportTracks: 'editor',
  operatorListShares: 'editor sometimes exports',
  operatorCreateShare: 'editor publishes',
  operatorRevokeShare: 'editor',
  operatorGetRace: 'viewer',
  operatorUpdateRace: 'editor',
  operatorGetCourse: 'viewer',
  operatorReplaceCourse: 'editor sometimes erases',
  operatorDeleteCourse: 'editor erases',
  operatorListCheckpoints: 'viewer',
  operatorReplaceCheckpoints: 'editor sometimes erases',
  operatorListRunners: 'viewer',
  operatorReplaceRunners: 'editor sometimes erases',
  operatorUpdateRunner: 'editor',
  operatorUpdateRunnerStatus: 'editor',
  operatorGetRanking: 'viewer',
  operatorGetResults: 'viewer',
  operatorListWebhooks: 'editor',
  operatorCreateWebhook: 'editor exports',
  operatorUpdateWebhook: 'editor exports',
  operatorDeleteWebhook: 'editor erases',
  operatorRotateWebhookSecret: 'editor exports',
  operatorTestWebhook: 'editor',
  operatorListWebhookDeliveries: 'editor',
  operatorRedeliverWebhook: 'editor',
  operatorListWorkspaces: 'viewer',
  operatorCreateWorkspace: 'editor everything',
  operatorGetWorkspace: 'viewer',
  operatorUpdateWorkspace: 'editor',
  operatorDeleteWorkspace: 'editor everything erases',
  operatorGetKey: 'editor exports',
  operatorRotateKey: 'editor admits',
  operatorListKeys: 'editor',
  operatorCreateKey: 'editor admits',
  operatorGetApiKey: 'editor exports',
  operatorRevokeKey: 'editor erases',
  operatorListPublications: 'viewer',
  operatorWatchLibrary: 'viewer',
  operatorCreateUploadUrl: 'editor',
  operatorCreatePublication: 'editor sometimes releases',
  operatorGetPublication: 'viewer',
  operatorUpdatePublication: 'editor',
  operatorDeletePublication: 'editor erases',
  operatorUnpublishPublication: 'editor',
  operatorPublishPublication: 'editor releases',
  operatorReplacePublicationFile: 'editor releases',
  operatorListPages: 'viewer',
  operatorGetPageImage: 'viewer',
  operatorGetFigures: 'viewer',
  operatorListPublicationWebhooks: 'editor',
  operatorCreatePublicationWebhook: 'editor exports',
  operatorUpdatePublicationWebhook: 'editor exports',
  operatorDeletePublicationWebhook: 'editor erases',
  operatorRotatePublicationWebhookSecret: 'editor exports',
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
  'signOutByProvider',
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
        .replace(/\/shares$/, '/shares?links=masked')
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

    test('are declared by every route with its effect, and listed here', () => {
      const declared = operations.filter(({ operationId }) => !OPEN.includes(operationId!))

      const wrong = declared
        .map(({ operationId, security }) => [operationId!, security?.[0]?.Session?.[0]])
        .filter(([id, role]) => role !== RULES[id!]?.split(' ')[0])
      assert.ok(declared.length > 90, `${declared.length} routes`)
      assert.deepEqual(wrong, [])
      assert.deepEqual(
        declared.map(({ operationId, description }) => [operationId, declaredEffect(description)]),
        declared.map(({ operationId }) => [
          operationId,
          /(sometimes )?(admits|erases|publishes|exports|releases).*/.exec(RULES[operationId!])?.[0] ?? '',
        ]),
      )
      assert.deepEqual(
        Object.keys(RULES).filter((id) => !declared.some(({ operationId }) => operationId === id)),
        [],
      )
    })

    for (const operation of operations.filter(({ operationId }) => !OPEN.includes(operationId!))) {
      const { operationId } = operation
      test(`hold for ${operationId}`, async () => {
        const rule = RULES[operationId!]
        const needed = ROLES.indexOf(rule.split(' ')[0] as Role)
        const isConfirmed = / (admits|erases|publishes|exports)/.test(rule) && !rule.includes('sometimes')
        const isAboutOne = /^\/operator\/(events|workspaces|tracks|shares|publications)\/\{/.test(operation.path)
        const expected = (role: Role, isLimited: boolean) => {
          const isEnough = ROLES.indexOf(role) >= needed && !(isLimited && rule.includes('everything'))
          if (!isEnough) return `needs ${ROLES[needed]}`
          return isConfirmed ? 'confirm' : 'admitted'
        }
        const said = (answer: string) => (/^(needs|confirm)/.test(answer) ? answer : 'admitted')

        for (const role of ROLES) {
          const answer = await ask(operation, browsers[role], others)
          assert.equal(said(answer), expected(role, false), role)
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

/** Returns the effects for which the description of a route demands a recent confirmation. */
function declaredEffect(description = ''): string {
  const [, age, sometimes, effects = ''] =
    /Needs a (recent confirmation|confirmation within the last 12 hours)(?:( if)|:) it (.*)\./.exec(description) ?? []
  assert.equal(effects.includes('releases'), age?.includes('12 hours') ?? false, description)
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
