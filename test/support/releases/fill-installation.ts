import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { LAKE, makeGpx, placeAt } from '../make-course.ts'
import { makeVectorMap } from '../make-map-file.ts'
import { makePdf, showText } from '../make-pdf.ts'
import { makePoints } from '../make-points.ts'
import { makeGpxRecording } from '../make-recordings.ts'
import { AROUND, racePoints } from '../race-requests.ts'
import type { WebhookReceiver } from '../webhook-receiver.ts'
import { type StoredRequest, send } from './exchange.ts'

/** A running installation whose first start has just ended, with what that printed. */
export type EmptyInstallation = {
  url: string
  token: string
  apiKey: string
  /** Token of the sign-in link. */
  signInToken: string
  webhooks: WebhookReceiver
}

export const PASSWORD = 'a password of a stored installation'

/** Ids, tokens and addresses of what an installation was filled with, by which it is asked. */
export type Filled = Awaited<ReturnType<typeof fillInstallation>>

type Json = { [name: string]: Json }
type Ask = (
  status: number,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Json>

/**
 * Fills an installation through its API with everything that the program stores: events, tracks of every state, recordings of
 * phones, a race, links, webhooks, publications in several versions, keys and operators.
 */
export async function fillInstallation({ url, token, apiKey, signInToken, webhooks }: EmptyInstallation) {
  const phone = asker(url, { 'x-api-key': token })
  const publisher = asker(url, { 'x-api-key': apiKey })
  const session = await signInFirst(url, signInToken)
  const operator = asker(url, session)
  const { events } = await operator(200, 'GET', '/operator/events')
  const eventId = text(events[0].id)
  const tokens = await fillTokens(operator, eventId)
  const webhook = await phone(201, 'POST', '/webhooks', { url: webhooks.url }, { 'x-api-key': tokens.manager })
  const tracks = await fillTracks(phone, operator, tokens.manager)
  const recordings = await recordWithPhone(url, token)
  const race = await fillRace(operator, url)
  const shares = await fillShares(operator, eventId, tracks, race)
  const library = await fillLibrary(url, publisher, operator, webhooks)
  const operators = await fillOperators(url, operator)
  const map = await fillMap(operator)
  await untilDelivered(operator, `/operator/events/${eventId}/webhooks/${webhook.id}/deliveries`)
  await untilDelivered(publisher, `/publications/webhooks/${library.webhookId}/deliveries`)
  return {
    token,
    apiKey,
    session,
    eventId,
    tokens,
    webhookId: text(webhook.id),
    tracks,
    recordings,
    race,
    shares,
    library,
    operators,
    map,
  }
}

/** Returns a function that sends requests with these headers and requires their status. */
export function asker(url: string, own: Record<string, string>): Ask {
  return async (status, method, path, body, headers = {}) => {
    const request: StoredRequest = { name: '', method, path, body, headers: { ...own, ...headers } }
    const answer = await send(url, request)
    assert.equal(answer.status, status, `${method} ${path}: ${answer.body}`)
    return answer.body.length === 0 || !/json/.test(answer.headers['content-type'] ?? '')
      ? ({} as Json)
      : JSON.parse(answer.body.toString())
  }
}

const text = (value: Json): string => String(value)
const bytes = (content: string | Uint8Array) => `base64:${Buffer.from(content).toString('base64')}`

async function signInFirst(url: string, token: string): Promise<Record<string, string>> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const request = {
    name: '',
    method: 'POST',
    path: '/operator/sign-in-link',
    body: { token, password: PASSWORD },
    headers,
  }
  const answer = await send(url, request)
  assert.equal(answer.status, 200, String(answer.body))
  const cookies = (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0])
  return { ...headers, cookie: cookies.join('; ') }
}

async function fillTokens(operator: Ask, eventId: string) {
  const path = `/operator/events/${eventId}`
  await operator(200, 'PATCH', path, {
    name: 'Été 2026',
    note: 'A stored event',
    time_zone: 'Europe/Paris',
    low_battery_percent: 20,
  })
  const further = async (fields: object) => await operator(201, 'POST', `${path}/tokens`, fields)
  const manager = await further({ label: 'Manager', permissions: ['record', 'read', 'manage'] })
  const ofPerson = await further({ label: 'Camille', user_id: 'camille' })
  const brief = await further({ label: 'Brief', keep_sec: 86_400 })
  const revoked = await further({ label: 'Revoked' })
  await operator(204, 'DELETE', `${path}/tokens/${revoked.id}`)
  await operator(201, 'POST', `${path}/participant-tokens`, {
    participants: [{ user_id: 'ann' }, { user_id: 'bob', name: 'Bob' }],
  })
  const texts = [manager, ofPerson, brief, revoked].map((each) => text(each.token))
  return { manager: texts[0], ofPerson: texts[1], brief: texts[2], revoked: texts[3], briefId: text(brief.id) }
}

/** Tracks merged and loose, in every state, with every field, sent in order and late, trimmed and deleted. */
async function fillTracks(phone: Ask, operator: Ask, manager: string) {
  const start = Date.UTC(2026, 4, 3, 6)
  const everything = {
    altitude: 1035.25,
    accuracy: 4.5,
    speed_mps: 1.25,
    heading: 271.5,
    battery: 0.87,
    origin: 'native',
  }
  const create = async (fields: object) => text((await phone(201, 'POST', '/tracks', fields)).id)
  const points = async (id: string, list: readonly unknown[]) =>
    await phone(204, 'POST', `/tracks/${id}/points`, { points: list })

  const merged = await create({
    device_track_id: 'merged',
    activity_type: 'run',
    title: 'Un détour',
    start_ts: new Date(start).toISOString(),
  })
  for (let batch = 0; batch < 40; batch++) await points(merged, makePoints(10, start + batch * 10_000, everything))
  await points(merged, makePoints(15, start + 395_500))
  await phone(200, 'POST', `/tracks/${merged}/finish`)

  const loose = await create({
    device_track_id: 'loose',
    user_id: 'camille',
    activity_type: 'walk',
    start_ts: '2026-05-03T08:15:00+02:00',
  })
  for (let batch = 0; batch < 5; batch++)
    await points(loose, makePoints(7, start + batch * 7_000, { altitude: 200 + batch }))

  const paused = await create({ device_track_id: 'paused', image_url: 'https://images.example.org/1.jpg' })
  await points(paused, makePoints(20, start + 3_600_000))
  await phone(200, 'PATCH', `/tracks/${paused}`, { state: 'paused' })
  await phone(200, 'PATCH', `/tracks/${paused}`, { state: 'running' })
  await phone(200, 'PATCH', `/tracks/${paused}`, { state: 'paused', title: 'Paused twice' })

  const stats = {
    distance_meters: 5_012.5,
    duration_sec: 1_801,
    elevation_gain_m: 12.5,
    elevation_loss_m: 11,
    mean_speed_mps: 2.78,
    pace_sec_per_km: 359.3,
  }
  const synced = await phone(
    201,
    'POST',
    '/sync',
    {
      track: { device_track_id: 'synced', title: 'To the lake', activity_type: 'bike', user_id: 'bob' },
      points: makePoints(300, start - 86_400_000, { accuracy: 8 }),
      stats,
    },
    { 'idempotency-key': 'a stored key of a sync' },
  )
  const trimmed = text(
    (
      await phone(201, 'POST', '/sync', {
        track: { device_track_id: 'trimmed' },
        points: makePoints(120, start + 7_200_000),
      })
    ).track_id,
  )
  await operator(200, 'PATCH', `/operator/tracks/${trimmed}`, {
    shown_from: new Date(start + 7_210_000).toISOString(),
    shown_until: new Date(start + 7_300_000).toISOString(),
  })
  const empty = await create({ device_track_id: 'empty' })
  const deleted = await create({ device_track_id: 'deleted' })
  await points(deleted, makePoints(3, start))
  await phone(204, 'DELETE', `/tracks/${deleted}`, undefined, { 'x-api-key': manager })
  const imported = await phone(201, 'POST', '/tracks/import?user_id=importer', bytes(makeGpxRecording()), {
    'content-type': 'application/gpx+xml',
  })
  const { tracks } = imported as unknown as { tracks: { id: string }[] }
  return { merged, loose, paused, synced: text(synced.track_id), trimmed, empty, deleted, imported: tracks[0].id }
}

/** Two recordings of one device, a silence apart. */
async function recordWithPhone(url: string, token: string) {
  const anyone = asker(url, {})
  const paths: string[] = []
  for (const minute of [0, 1, 2, 120, 121]) {
    const timestamp = Date.UTC(2026, 4, 3, 10, minute)
    const place = placeAt(minute * 3, minute * 2)
    paths.push(
      `/in/${token}/osmand?id=osmand-7&lat=${place.latitude}&lon=${place.longitude}&timestamp=${timestamp}&altitude=1035.2&batt=80`,
    )
    await anyone(200, 'GET', paths.at(-1)!)
  }
  const asGpsLogger = `/in/${token}/gpslogger?aid=logger-1&lat=46&lon=6&time=2026-05-03T10:00:00Z`
  await anyone(200, 'GET', asGpsLogger)
  return { again: paths, asGpsLogger }
}

async function fillRace(operator: Ask, url: string) {
  const event = await operator(201, 'POST', '/operator/events', {
    name: 'Lake run',
    spectator_delay_sec: 30,
    starts_on: '2026-05-03',
  })
  const path = `/operator/events/${event.id}`
  await operator(200, 'PUT', `${path}/course`, bytes(makeGpx(LAKE)), { 'content-type': 'application/gpx+xml' })
  const { checkpoints } = (await operator(200, 'GET', `${path}/checkpoints`)) as unknown as { checkpoints: object[] }
  const east = { name: 'East', kind: 'checkpoint', shape: { type: 'circle', ...placeAt(1000, 0), radius_m: 50 } }
  await operator(200, 'PUT', `${path}/checkpoints`, { checkpoints: [checkpoints[0], east, checkpoints.at(-1)] })
  await operator(200, 'PATCH', `${path}/race`, { race_starts_at: '2026-05-03T09:00:00+02:00' })
  await operator(
    200,
    'PUT',
    `${path}/runners`,
    bytes('bib,name,category,user_id\n1,Ann,F,ann\n2,Bob,M,bob\n3,Chloé,F,chloe\n'),
    { 'content-type': 'text/csv' },
  )
  await operator(200, 'PATCH', `${path}/runners/chloe`, { status: 'dns' })
  const phone = asker(url, { 'x-api-key': text(event.token.token) })
  const run = async (user_id: string, places: typeof AROUND) => {
    const points = racePoints(places)
    const { id } = await phone(201, 'POST', '/tracks', {
      device_track_id: user_id,
      user_id,
      start_ts: points[0].timestamp,
    })
    await phone(204, 'POST', `/tracks/${id}/points`, { points })
    return text(id)
  }
  const winner = await run('ann', AROUND)
  await run('bob', AROUND.slice(0, 3))
  await operator(200, 'GET', `${path}/ranking`)
  return { eventId: text(event.id), token: text(event.token.token), winner }
}

async function fillShares(operator: Ask, eventId: string, tracks: { merged: string }, race: { eventId: string }) {
  const make = async (id: string, body: object) => {
    const share = await operator(201, 'POST', `/operator/events/${id}/shares`, body)
    return { id: text(share.id), token: /shr_[\w-]+/.exec(text(share.url))![0] }
  }
  const event = await make(eventId, { label: 'Everyone', expires_at: '2099-01-01T00:00:00Z' })
  const track = await make(eventId, { track_id: tracks.merged, expires_at: '2099-01-01T00:00:00Z' })
  const raceShare = await make(race.eventId, { label: 'Spectators' })
  const revoked = await make(eventId, { label: 'Revoked' })
  await operator(204, 'DELETE', `/operator/shares/${revoked.id}`)
  return { event: event.token, track: track.token, race: raceShare.token, revoked: revoked.token }
}

/** Returns a document with flat pages, whose images are small. */
function pdf(...lines: string[]): Buffer {
  return makePdf({ pages: lines.map((line) => ({ content: showText(line, 10, 10, 14), mediaBox: '[0 0 800 36]' })) })
}

async function fillLibrary(url: string, publisher: Ask, operator: Ask, webhooks: WebhookReceiver) {
  const webhook = await publisher(201, 'POST', '/publications/webhooks', { url: webhooks.url })
  const upload = async (file: Buffer) => {
    const ticket = await publisher(200, 'POST', '/publications/upload-url', { type: 'pdf' })
    const path = text(ticket.uploadUrl).replace(/^https?:\/\/[^/]+/, '')
    await asker(url, { 'content-type': 'application/pdf' })(200, 'PUT', path, bytes(file))
    return { storageKey: text(ticket.storageKey), pdfPath: text(ticket.pdfPath) }
  }
  const publish = async (title: string, file: Buffer, headers = {}) => {
    const body = { title, ...(await upload(file)), sourceType: 'pdf' }
    const made = await publisher(201, 'POST', '/publications', body, headers)
    await untilRendered(publisher, text(made.slug))
    return { slug: text(made.slug), id: text(made.id), body }
  }
  const replayed = { 'idempotency-key': 'a stored key of a publication' }
  const first = await publish('Guide de l’été', pdf('Hello, reader'), replayed)
  await publisher(200, 'PATCH', `/publications/${first.slug}`, {
    slug: 'guide',
    title: 'Guide',
    author: 'A. Writer',
    language: 'fr',
  })
  await publisher(200, 'PUT', '/publications/guide/file', await upload(pdf('Hello again', 'Second page')))
  await untilRendered(publisher, 'guide')
  await publisher(204, 'POST', '/publications/guide/reading', { pages: [1, 2], seconds: 30 })
  const hidden = await publish('Hidden', pdf('Not for everyone'))
  await publisher(200, 'POST', `/publications/${hidden.slug}/unpublish`)
  const gone = await publish('Gone', pdf('Gone'))
  await publisher(204, 'DELETE', `/publications/${gone.slug}`)
  const signed = await publisher(200, 'GET', '/publications/guide/pdf')
  const { images } = (await publisher(200, 'GET', '/publications/guide/images')) as unknown as { images: string[] }
  const ticket = await publisher(200, 'POST', '/publications/upload-url', { type: 'pdf', path: 'later/file.pdf' })
  const { workspaces } = await operator(200, 'GET', '/operator/workspaces')
  const workspaceId = text(workspaces[0].id)
  const other = await operator(201, 'POST', '/operator/workspaces', { name: 'Another library' })
  await operator(200, 'PATCH', `/operator/workspaces/${other.id}`, { max_publications: 5 })
  const key = await operator(201, 'POST', `/operator/workspaces/${workspaceId}/keys`, {
    label: 'Reader',
    permissions: ['read'],
  })
  await operator(201, 'POST', `/operator/workspaces/${other.id}/key/rotate`, { keep_sec: 3600 })
  const place = (address: string) => address.replace(/^https?:\/\/[^/]+/, '')
  return {
    workspaceId,
    otherId: text(other.id),
    otherKey: text(other.api_key),
    webhookId: text(webhook.id),
    formerSlug: first.slug,
    id: first.id,
    creation: first.body,
    hidden: hidden.slug,
    gone: gone.slug,
    signedPdf: place(text(signed.url)),
    images: images.map(place),
    readKey: text(key.api_key),
    readKeyId: text(key.id),
    uploadPath: place(text(ticket.uploadUrl)),
  }
}

async function untilRendered(publisher: Ask, slug: string): Promise<void> {
  for (;;) {
    const { status, pages_ready, page_count } = (await publisher(200, 'GET', `/publications/${slug}`)) as unknown as {
      status: string
      pages_ready: number
      page_count: number
    }
    assert.notEqual(status, 'failed')
    if (status === 'ready' && pages_ready === page_count) return
    await wait(50)
  }
}

/** Waits until no message is due, so that the log stays as it is. */
async function untilDelivered(ask: Ask, path: string): Promise<void> {
  for (;;) {
    const { deliveries } = (await ask(200, 'GET', path)) as unknown as { deliveries: { status: string }[] }
    if (deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered')) return
    await wait(50)
  }
}

async function fillOperators(url: string, operator: Ask) {
  const made = await operator(201, 'POST', '/operator/operators', { name: 'Camille', role: 'editor' })
  const link = /#token=(\S+)/.exec(JSON.stringify(made).replaceAll('"', ' '))![1]
  await asker(url, { 'sec-fetch-site': 'same-origin' })(401, 'POST', '/operator/session', {
    name: 'Camille',
    password: 'not the right one',
  })
  return { unusedLink: link }
}

async function fillMap(operator: Ask) {
  const file = await operator(
    201,
    'POST',
    '/operator/map/files?name=lake.pmtiles',
    bytes(makeVectorMap({ maxZoom: 2 })),
    {
      'content-type': 'application/vnd.pmtiles',
    },
  )
  await operator(200, 'PUT', '/operator/map', { kind: 'file', file_id: file.id, attribution: 'Stored' })
  return { fileId: text(file.id), path: text(file.url).replace(/^https?:\/\/[^/]+/, '') }
}
