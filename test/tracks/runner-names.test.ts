import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AuditRecordList } from '../../src/operator/audit/schemas.ts'
import type { OperatorTrack, TrackSummaryList } from '../../src/tracks/api/operator-track-schemas.ts'
import type { Share, SharedView } from '../../src/tracks/shares/schemas.ts'
import type { EventReplay } from '../../src/tracks/statistics/schemas.ts'
import { describeTracks } from '../support/describe-service.ts'
import { AROUND, openRace } from '../support/race-requests.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const NAME = '117 · Zoé Martin'

describeTracks(
  'The name of a runner',
  { signedIn: true, settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } },
  async ({ service }) => {
    const { answer, request } = service

    test('is in webhooks and in the audit log', async () => {
      const race = await openRace(service)
      await race.putRunners('117,Zoé Martin,F,zoe')
      const receiver = await startWebhookReceiver({ after })
      await answer(201, 'POST', `${race.path}/webhooks`, { url: receiver.url, types: ['track.finished'] })
      const id = await race.run('zoe', AROUND, { speedMps: 4, everySec: 20 })

      await answer(200, 'POST', `/operator/tracks/${id}/finish`)

      const [message] = await receiver.until(1)
      assert.deepEqual([message.data.id, message.data.name, message.data.title], [id, NAME, 'Track of zoe'])
      const { records } = await answer<AuditRecordList>(200, 'GET', '/operator/audit')
      const finished = records.find(({ action, subject }) => action === 'operatorFinishTrack' && subject?.id === id)
      assert.equal(finished?.subject?.name, NAME)
    })

    test('is bib and name wherever a track is shown, and the title where the start list has none', async () => {
      const race = await openRace(service)
      await race.putRunners('117,Zoé Martin,F,zoe')
      const id = await race.run('zoe', AROUND, { speedMps: 4, everySec: 20 })
      const other = await race.run('ghost', AROUND, { speedMps: 4, everySec: 20 })
      const share = await answer<Share>(201, 'POST', `${race.path}/shares`, { track_id: id })
      const token = /shr_[\w-]+/.exec(share.url!)![0]

      const list = await answer<TrackSummaryList>(200, 'GET', `${race.path}/tracks?sort=start&order=asc`)
      const found = await answer<TrackSummaryList>(200, 'GET', `${race.path}/tracks?q=zoe%20mart`)
      const track = await answer<OperatorTrack>(200, 'GET', `/operator/tracks/${id}`)
      const finished = await answer<OperatorTrack>(200, 'POST', `/operator/tracks/${id}/finish`)
      const replay = await answer<EventReplay>(200, 'GET', `${race.path}/replay`)
      const view = await answer<SharedView>(200, 'GET', `/shares/${token}`)
      const page = await (await request('GET', `/s/${await race.share()}`)).text()
      const gpx = await request('GET', `/operator/tracks/${id}/export?format=gpx`)

      assert.deepEqual([found.total, found.tracks.map((one) => one.id)], [1, [id]])
      const names = new Map(list.tracks.map((one) => [one.id, one.name]))
      assert.deepEqual([names.get(id), names.get(other)], [NAME, 'Track of ghost'])
      assert.deepEqual([track.name, track.title, finished.name], [NAME, 'Track of zoe', NAME])
      assert.deepEqual(replay.tracks.map(({ name }) => name).sort(), [NAME, 'Track of ghost'])
      assert.deepEqual([share.track_title, view.title], [NAME, NAME])
      assert.ok(page.includes(NAME) && page.includes('Track of ghost') && !page.includes('Track of zoe'))
      assert.match(decodeURIComponent(gpx.headers.get('content-disposition')!), /117 · Zoé Martin\.gpx/)
      assert.ok((await gpx.text()).includes(`<trk><name>${NAME}</name>`))
    })
  },
)
