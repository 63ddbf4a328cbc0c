import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { AuditRecordList } from '../../src/operator/audit/schemas.ts'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { CheckpointList } from '../../src/tracks/race/schemas.ts'
import type { Share, ShareList } from '../../src/tracks/shares/schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { readProblem } from '../support/problem.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { storePublication } from '../support/store-publication.ts'
import { answered } from './support/answered.ts'

const DAY_MS = 86_400_000
const EDITOR = { role: 'editor', limitedTo: null } as const

describeOn(databases, 'effects that depend on what is asked for', async (database) => {
  const clock = { nowMs: Date.UTC(2026, 4, 3, 7) }
  const service = await startService({ after }, database, { now: () => clock.nowMs })

  const makeEvent = async (fields: object = {}) =>
    await answered<CreatedEvent>(
      201,
      (await signIn(service)).request('POST', '/operator/events', { name: 'Trail', ...fields }),
    )

  /** Operators with the same role: one confirmed just now, and one more than ten minutes ago. */
  async function pair(rights: Parameters<typeof signIn>[1] = EDITOR) {
    const stale = await signIn(service, rights)
    clock.nowMs += 11 * 60_000
    return { stale, fresh: await signIn(service, rights) }
  }

  /** Requires that a request is refused until the operator has confirmed, and succeeds then. @returns the answer */
  async function confirmedOnly<Body>(method: string, path: string, body?: object): Promise<Body> {
    const { stale, fresh } = await pair()
    await readProblem(await stale.request(method, path, body), 403, 'CONFIRMATION_REQUIRED')
    const answer = await fresh.request(method, path, body)
    assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`)
    return (await answer.json()) as Body
  }

  /** Requires that a request needs no confirmation. @returns the answer */
  async function unconfirmed<Body>(method: string, path: string, body?: object): Promise<Body> {
    return await answered<Body>(200, (await pair()).stale.request(method, path, body))
  }

  async function syncTrack(token: string, startMs: number): Promise<string> {
    const track = { device_track_id: randomUUID(), start_ts: new Date(startMs).toISOString(), state: 'stopped' }
    const points = [{ latitude: 45.9, longitude: 6.8, timestamp: track.start_ts }]
    const headers = { 'X-API-Key': token }
    const made = await answered<{ track_id: string }>(201, service.request('POST', '/sync', { track, points }, headers))
    return made.track_id
  }

  test('a shorter retention is for owners, who confirm and accept the number of tracks that it erases', async () => {
    const { id, token } = await makeEvent({ retention_days: 400 })
    const path = `/operator/events/${id}`
    await syncTrack(token.token!, clock.nowMs)
    clock.nowMs += 3 * DAY_MS
    await syncTrack(token.token!, clock.nowMs)
    const editors = await pair()
    const owners = await pair(OWNER)

    await readProblem(await editors.fresh.request('PATCH', path, { retention_days: 1 }), 403, 'INSUFFICIENT_ROLE')
    await readProblem(await owners.stale.request('PATCH', path, { retention_days: 1 }), 403, 'CONFIRMATION_REQUIRED')
    const refused = await owners.fresh.request('PATCH', path, { retention_days: 1, accepted_erasures: 0 })
    const problem = await readProblem(refused, 409, 'ERASES_TRACKS')
    assert.equal(problem.tracks_count, 1)
    const kept = await answered<{ retention_days: number }>(200, owners.stale.request('GET', path))
    assert.equal(kept.retention_days, 400)

    const accepted = { retention_days: 1, accepted_erasures: 1 }
    await answered(200, owners.fresh.request('PATCH', path, accepted))
    const next = await pair(OWNER)
    for (const days of [1, 2, null])
      await answered(200, next.stale.request('PATCH', path, { retention_days: days, name: 'Trail' }))
    await readProblem(await next.stale.request('PATCH', path, { retention_days: 2 }), 403, 'CONFIRMATION_REQUIRED')
  })

  test('a shorter delay for spectators is confirmed, a longer one is not', async () => {
    const { id } = await makeEvent({ spectator_delay_sec: 600 })
    const path = `/operator/events/${id}`

    await unconfirmed('PATCH', path, { spectator_delay_sec: 600, note: 'Same' })
    await unconfirmed('PATCH', path, { spectator_delay_sec: 900 })
    await confirmedOnly('PATCH', path, { spectator_delay_sec: 899 })
    await confirmedOnly('PATCH', path, { spectator_delay_sec: null })
    await unconfirmed('PATCH', path, { spectator_delay_sec: 0 })
  })

  test('links are confirmed and recorded in plain, and listed masked without either', async () => {
    const { id } = await makeEvent()
    const path = `/operator/events/${id}/shares`
    const made = await confirmedOnly<Share>('POST', path, { never_expires: true })

    const { shares: plain } = await confirmedOnly<ShareList>('GET', path)
    const { shares: masked } = await unconfirmed<ShareList>('GET', `${path}?links=masked`)

    assert.equal(plain[0].url, made.url)
    assert.deepEqual(masked, [{ ...made, url: null }])
    assert.match(made.masked!, /^shr_.{4}….{4}$/)
    await service.server.operator!.deps.audit.flush()
    const owner = await signIn(service)
    const found = (query: string) =>
      answered<AuditRecordList>(200, owner.request('GET', `/operator/audit?subject=${id}&${query}`))
    const { records } = await found('action=operatorListShares&outcome=succeeded')
    assert.equal(records.length, 1)
  })

  test('a course, checkpoints or runners are replaced with a confirmation only if something is lost', async () => {
    const { id } = await makeEvent()
    const path = `/operator/events/${id}`
    const runner = (user_id: string, name = 'Anna') => ({ user_id, bib: user_id, name, category: null, status: null })
    const { stale } = await pair()

    for (const status of [200, 403]) {
      const put = await stale.send('PUT', `${path}/course`, makeGpx(LAKE), 'application/gpx+xml')
      assert.equal(put.status, status, await put.text())
    }
    const list = await answered<CheckpointList>(200, stale.request('GET', `${path}/checkpoints`))
    const [start, finish] = list.checkpoints
    const renamed = { ...start, name: 'Lake' }
    await unconfirmed('PUT', `${path}/checkpoints`, { checkpoints: [renamed, finish] })
    await confirmedOnly('PUT', `${path}/checkpoints`, { checkpoints: [finish] })
    await unconfirmed('PUT', `${path}/runners`, { runners: [runner('1'), runner('2')] })
    await unconfirmed('PUT', `${path}/runners`, { runners: [runner('2'), runner('1', 'Ben'), runner('3')] })
    await unconfirmed('PUT', `${path}/runners?check=true`, { runners: [] })
    await confirmedOnly('PUT', `${path}/runners`, { runners: [runner('1')] })
    await confirmedOnly('PUT', `${path}/runners`, { runners: [] })
  })

  test('a track that shows more of itself is confirmed, one that shows less is not', async () => {
    const { token } = await makeEvent()
    const path = `/operator/tracks/${await syncTrack(token.token!, clock.nowMs)}`
    const at = (minutes: number) => new Date(clock.nowMs + minutes * 60_000).toISOString()
    const [early, late, end] = [at(1), at(5), at(9)]

    await unconfirmed('PATCH', path, { shown_from: early, shown_until: end })
    await unconfirmed('PATCH', path, { shown_from: late, title: 'Trimmed' })
    await confirmedOnly('PATCH', path, { shown_from: early })
    await confirmedOnly('PATCH', path, { shown_until: null })
    await unconfirmed('PATCH', path, { shown_from: late })
  })

  test('documents are published within twelve hours of a sign-in or a confirmation', async () => {
    const { id } = await storePublication(service)
    const { id: event } = await makeEvent()
    const editor = await signIn(service, EDITOR)
    const create = `/operator/workspaces/${service.workspaceId}/publications`
    const upload = { storageKey: randomUUID(), pdfPath: 'uploads/nothing.pdf', title: 'Nothing' }
    const codeOf = async (method: string, path: string, body?: object) => {
      const answer = await editor.request(method, path, body)
      return ((await answer.json()) as { code?: string }).code ?? 'done'
    }
    const releases = async () => [
      await codeOf('POST', `/operator/publications/${id}/publish`),
      await codeOf('PUT', `/operator/publications/${id}/file`, upload),
      await codeOf('POST', create, { ...upload, draft: false }),
    ]

    clock.nowMs += 12 * 3_600_000 - 1
    await answered(200, editor.request('POST', `/operator/publications/${id}/unpublish`))
    const inTime = await releases()
    assert.deepEqual([inTime[0], inTime.includes('CONFIRMATION_REQUIRED')], ['done', false])
    assert.equal(await codeOf('POST', `/operator/events/${event}/shares`, {}), 'CONFIRMATION_REQUIRED')
    clock.nowMs += 1
    assert.deepEqual(new Set(await releases()), new Set(['CONFIRMATION_REQUIRED']))
    assert.notEqual(await codeOf('POST', create, { ...upload, draft: true }), 'CONFIRMATION_REQUIRED')
  })
})
