import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { SealedColumn } from '#platform/credentials/sealed-columns.ts'
import { type SealingPart, secretCommands } from '#platform/credentials/sealed-columns.ts'
import { operatorSealedColumns } from '../../src/operator/model/tables.ts'
import { publicationsSealedColumns } from '../../src/publications/library/workspace-keys.ts'
import { tracksSealedColumns } from '../../src/tracks/model/tables.ts'
import { createBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { askForTicket, publishPdf, untilRendered } from '../support/publish.ts'
import { type StartedService, startService } from '../support/start-service.ts'
import { startWebhookReceiver, verifyMessage } from '../support/webhook-receiver.ts'

const OLD = 'the former secret, of at least 32 characters'
const NEW = 'the newer secret, of at least 32 characters'

/** Columns of bytes that hold something other than a sealed text. */
const NOT_SEALED = [
  'chunks.bytes',
  'races.course_line',
  'races.heights_line',
  'live_frames.changes',
  'live_frames.whole',
  'pages.words',
  'reader_salts.salt',
  'workspace_faces.logo',
]

type Instance = Pick<StartedService, 'url' | 'server'>
type Report = {
  rewrapped?: number
  secrets: { id: string; copies: number; may_be_removed: boolean }[]
  tables: { table: string; column: string; newest: number; older: number; unreadable: number }[]
}

for (const database of databases) {
  describe(`a change of secret on ${database.name}`, () => {
    test('ends nothing: each instance accepts what the others sign and encrypt, until the former secret is removed', async (t) => {
      const allowed = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
      const settings = { ...allowed, SECRET_KEY: OLD, SECRET_KEY_FALLBACKS: NEW }
      const before = await startService(t, database, { signedIn: true, settings })
      const receiver = await startWebhookReceiver(t)
      const made = await makeSealed(before, receiver.url)
      const after = await before.startAnother({ SECRET_KEY: NEW, SECRET_KEY_FALLBACKS: OLD })
      const { slug } = await publishPdf(before)
      await untilRendered(before, slug)
      const addresses = await signAddresses(before, slug)
      const newer = await signAddresses({ ...before, ...after, request: requestTo(before, after) }, slug)

      // Rolling: both instances run, and each opens what the other made.
      assert.deepEqual(await shown(before, after, made), made.texts)
      assert.deepEqual(await statuses(after, addresses), { upload: 200, pdf: 200, image: 200, browser: true })
      assert.deepEqual(await statuses(before, newer), { upload: 200, pdf: 200, image: 200, browser: true })
      assert.notEqual(addresses.image, newer.image)

      const rewrap = await run(after, [NEW, OLD], 'secrets rewrap')
      const again = await run(after, [NEW, OLD], 'secrets rewrap')
      assert.deepEqual(
        rewrap.tables.map(({ table, column, newest, older }) => [`${table}.${column}`, newest, older]),
        [
          ['tracks.app_tokens.sealed', 2, 0],
          ['tracks.shares.sealed', 1, 0],
          ['tracks.erasures.sealed_key', 0, 0],
          ['tracks.webhook_endpoints.secret', 1, 0],
          ['tracks.webhook_endpoints.former_secret', 1, 0],
          ['publications.api_keys.sealed', 1, 0],
          ['publications.webhook_endpoints.secret', 0, 0],
          ['publications.webhook_endpoints.former_secret', 0, 0],
          ['operator.totp_secrets.secret', 0, 0],
        ],
      )
      assert.deepEqual([rewrap.rewrapped, again.rewrapped], [6, 0])
      assert.deepEqual(
        rewrap.secrets.map(({ copies, may_be_removed }) => [copies, may_be_removed]),
        [
          [6, false],
          [0, true],
        ],
      )
      assert.deepEqual(await shown(before, before, made), made.texts)

      // The former secret is removed.
      const alone = await before.startAnother({ SECRET_KEY: NEW, SECRET_KEY_FALLBACKS: '' })
      const fresh = await signAddresses(before, slug)
      assert.deepEqual(await shown(before, alone, made), made.texts)
      assert.deepEqual(await statuses(alone, fresh), { upload: 403, pdf: 403, image: 404, browser: false })
      await alone.server.tracks!.deps.tracks.delete(made.scope, made.trackId)
      const [message] = await receiver.until(1)
      for (const secret of made.webhookSecrets) verifyMessage(secret, message!)
    })

    test('leaves copies that no secret opens as they are, and reports them', async (t) => {
      const service = await startService(t, database, { services: ['tracks'], settings: { SECRET_KEY: OLD } })

      const { rewrapped, tables, secrets } = await run(service, [NEW], 'secrets rewrap')

      assert.equal(rewrapped, 0)
      assert.deepEqual(tables[0], {
        ...{ table: 'tracks.app_tokens', column: 'sealed' },
        ...{ newest: 0, older: 0, unreadable: 1 },
      })
      assert.deepEqual([secrets.length, secrets[0]!.may_be_removed], [1, false])
      const other = await run(service, [NEW, OLD], 'secrets rewrap')
      assert.deepEqual([other.rewrapped, other.tables[0]!.newest], [1, 1])
      await assert.rejects(run(service, [NEW, OLD], 'secrets rotate'), /come from SECRET_KEY/)
    })

    test('covers every column of bytes that has sealed texts', async (t) => {
      if (database.name !== 'SQLite') return t.skip('the columns are the same')
      const { server } = await startService(t, database)

      const found = []
      for (const { db } of partsOf({ server })) {
        const { rows } = await sql<{ name: string }>`select m.name || '.' || c.name as name from sqlite_master m
          join pragma_table_info(m.name) c where m.type = 'table' and lower(c.type) = 'blob'`.execute(db)
        found.push(...rows.map(({ name }) => name).filter((name) => !NOT_SEALED.includes(name)))
      }

      const declared = partsOf({ server }).flatMap(({ columns }) =>
        columns.map(({ table, column }) => `${table}.${column}`),
      )
      assert.deepEqual(found.sort(), declared.sort())
    })
  })
}

/** Runs a command with these secrets, as the admin program does. */
async function run({ server }: Pick<Instance, 'server'>, [secretKey, ...fallbacks]: string[], usage: string) {
  const settings = { secretKey: secretKey!, secretKeyFallbacks: fallbacks, dataDir: '/nowhere' }
  const command = secretCommands(settings, partsOf({ server })).find((each) => each.usage === usage)!
  return (await command.run([], {})) as Report
}

function partsOf({ server: { tracks, publications, operator } }: Pick<Instance, 'server'>): SealingPart[] {
  const part = (service: string, deps: { database: { db: unknown } } | undefined, columns: readonly SealedColumn[]) =>
    deps === undefined ? [] : [{ service, db: deps.database.db as SealingPart['db'], columns }]
  return [
    ...part('tracks', tracks?.deps, tracksSealedColumns),
    ...part('publications', publications?.deps, publicationsSealedColumns),
    ...part('operator', operator?.deps, operatorSealedColumns),
  ]
}

/** Makes one of everything that is stored sealed. */
async function makeSealed(service: StartedService, url: string) {
  const { eventId, token, apiKey } = service
  const track = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'walk' })
  const path = `/operator/events/${eventId}/webhooks`
  const first = await service.answer<{ id: string; secret: string }>(201, 'POST', path, {
    ...{ url, types: ['track.deleted'] },
  })
  const second = await service.answer<{ secret: string }>(200, 'POST', `${path}/${first.id}/secret`, { keep: '24h' })
  await service.createToken()
  const share = await service.answer<{ url: string }>(201, 'POST', `/operator/events/${eventId}/shares`, {})
  return {
    trackId: track.id,
    scope: { eventId, userId: null },
    webhookSecrets: [first.secret, second.secret],
    texts: [token, apiKey, share.url.slice(share.url.indexOf('/s/'))],
  }
}

/** Returns what an instance shows of the texts that are stored sealed, to the operator's session. */
async function shown(service: StartedService, instance: Instance, { scope }: { scope: { eventId: string } }) {
  const read = async <Body>(path: string) => (await (await requestTo(service, instance)('GET', path)).json()) as Body
  const { tracks, publications } = instance.server
  const { text: token } = await tracks!.deps.eventTokens.showFirst(scope.eventId)
  const { text: apiKey } = await publications!.deps.workspaceKeys.showFirst(service.workspaceId)
  const { shares } = await read<{ shares: { url: string }[] }>(`/operator/events/${scope.eventId}/shares`)
  return [token, apiKey, shares[0]!.url.slice(shares[0]!.url.indexOf('/s/'))]
}

/** Sends the requests of a service, with its credentials, to another instance. */
function requestTo(service: StartedService, { url }: Pick<Instance, 'url'>): StartedService['request'] {
  const operator = Object.assign(createBrowser(url), { cookie: service.operator.cookie })
  return async (method, path, json, headers = {}) => {
    if (path.startsWith('/operator')) return await operator.request(method, path, json, headers)
    return await fetch(url + path, {
      method,
      headers: { 'X-API-Key': service.apiKey, 'Content-Type': 'application/json', ...headers },
      body: json === undefined ? undefined : JSON.stringify(json),
    })
  }
}

type Addresses = { upload: string; pdf: string; image: string; known: string }

/** Has an instance sign one address of each kind. */
async function signAddresses(service: StartedService, slug: string): Promise<Addresses> {
  const { uploadUrl } = await askForTicket(service)
  const read = async <Body>(path: string) => (await (await service.request('GET', path)).json()) as Body
  const { url: pdf } = await read<{ url: string }>(`/publications/${slug}/pdf`)
  const { images } = await read<{ images: string[] }>(`/publications/${slug}/images`)
  return {
    ...{ upload: pathOf(uploadUrl), pdf: pathOf(pdf), image: pathOf(images[0]!) },
    known: service.server.operator === undefined ? '' : knownCookie(service),
  }
}

/** Has an instance remember a browser. */
function knownCookie({ server }: Instance): string {
  let cookie = ''
  const setHeader = (_name: string, values: string[]) => {
    cookie = values[0]!.split(';')[0]!
  }
  const reply = { request: { protocol: 'http' }, server: server.app, raw: { getHeader: () => undefined, setHeader } }
  server.operator!.deps.knownBrowsers.remember(reply as never, 'someone')
  return cookie
}

/** Returns how an instance answers under addresses that another signed. */
async function statuses({ url, server }: Instance, { upload, pdf, image, known }: Addresses) {
  const body = new Uint8Array(numberedPages(1))
  const headers = { 'Content-Type': 'application/pdf' }
  const request = { headers: { cookie: known }, server: server.app }
  return {
    upload: (await fetch(url + upload, { method: 'PUT', headers, body })).status,
    pdf: (await fetch(url + pdf)).status,
    image: (await fetch(url + image)).status,
    browser: server.operator!.deps.knownBrowsers.find(request as never) !== undefined,
  }
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
