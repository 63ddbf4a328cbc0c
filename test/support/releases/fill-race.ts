import { LAKE, makeGpx, placeAt } from '../make-course.ts'
import { AROUND, racePoints } from '../race-requests.ts'
import { type Ask, asker, bytes, text } from './asker.ts'

export async function fillRace(operator: Ask, url: string) {
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

export async function fillShares(
  operator: Ask,
  eventId: string,
  tracks: { merged: string },
  race: { eventId: string },
) {
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
