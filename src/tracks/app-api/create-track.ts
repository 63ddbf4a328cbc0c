import type { Kysely } from 'kysely'
import { runIdempotent } from '#platform/database/idempotency.ts'
import { invalidFields } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { sendIdempotent } from '#platform/http/idempotency/send-idempotent.ts'
import { deviceTrackIdTaken, tracksQuotaReached } from '../errors.ts'
import { newTrackRow } from '../new-tracks/new-track.ts'
import { TrackCreate, TrackCreated } from '../schemas/track.ts'
import type { TracksTables } from '../storage/tables.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { foreignUserErrors, trackCreationKey } from './token-user.ts'

type Deps = {
  db: Kysely<TracksTables>
  tracks: Pick<TracksStore, 'create'>
  now: () => number
  titleTimeZone: string
}

/** POST /tracks */
export function createTrack(app: HttpServer, { db, tracks, now, titleTimeZone }: Deps) {
  app.post(
    '/tracks',
    {
      schema: {
        operationId: 'createTrack',
        summary: 'Create a track',
        description: 'The first request of a recording. The new track is in the state `running`.',
        tags: ['Tracks'],
        permission: 'record',
        body: TrackCreate,
        idempotent: true,
        problems: [deviceTrackIdTaken, tracksQuotaReached],
        response: { 201: TrackCreated },
      },
    },
    async (request, reply) => {
      const { appToken, body } = request
      const errors = foreignUserErrors(appToken, body.user_id, 'user_id')
      if (errors.length > 0) throw invalidFields(errors)
      // A new track has no end, even if a client sends one.
      const fields = { ...body, end_ts: undefined }
      const answer = await runIdempotent(db, trackCreationKey(request, 'createTrack'), now(), async (transaction) => {
        const { row } = await tracks.create(transaction, appToken, ({ time_zone }) => ({
          row: newTrackRow(fields, {
            scope: appToken,
            nowMs: now(),
            titleTimeZone: time_zone ?? titleTimeZone,
            state: 'running',
          }),
        }))
        return { status: 201, body: { id: row.id, device_track_id: row.device_track_id }, subjectId: row.id }
      })
      return sendIdempotent(reply, answer)
    },
  )
}
