import { placeAt } from '../make-course.ts'
import { makePoints } from '../make-points.ts'
import { makeGpxRecording } from '../make-recordings.ts'
import { type Ask, asker, bytes, text } from './asker.ts'

export async function fillTokens(operator: Ask, eventId: string) {
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
export async function fillTracks(phone: Ask, operator: Ask, manager: string) {
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
export async function recordWithPhone(url: string, token: string) {
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
