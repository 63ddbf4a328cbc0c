import { clientLeft } from '#platform/http/client-left.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Compactor } from '../../computing/compactor.ts'
import { finishChange } from '../../domain/state-change.ts'
import { pausesQuotaReached, trackNotFound } from '../../errors.ts'
import { OperatorTrack } from '../../schemas/operator-track.ts'
import { TrackParams } from '../../schemas/track.ts'
import { wholeEvent } from '../../storage/track-scope.ts'
import type { TracksStore } from '../../storage/tracks-store.ts'
import { type OperatorTrackDeps, operatorTrackJson } from './operator-track-json.ts'

type Deps = OperatorTrackDeps & {
  tracks: Pick<TracksStore, 'change'>
  compactor: Pick<Compactor, 'add'>
  now: () => number
}

/** POST /operator/tracks/:id/finish */
export function finishTrack(app: HttpServer, deps: Deps) {
  const { operatorTracks, tracks, compactor, now } = deps
  app.post(
    '/operator/tracks/:id/finish',
    {
      config: { operator: { role: 'editor', effect: 'changes' } },
      schema: {
        operationId: 'operatorFinishTrack',
        summary: 'Finish a track',
        description:
          'Stops a track whose phone no longer does so. It ends with its last point, unless it has an end. Finishing again has no effect; points that still arrive are stored.',
        tags: ['Operator'],
        params: TrackParams,
        problems: [trackNotFound, pausesQuotaReached],
        response: { 200: OperatorTrack },
      },
    },
    async ({ params }, reply) => {
      const found = await operatorTracks.find(params.id)
      if (found === undefined) throw trackNotFound()
      await tracks.change(wholeEvent(found.event_id), found.id, (current) => finishChange(current, now()))
      compactor.add(found.id)
      return await operatorTrackJson(deps, params.id, clientLeft(reply))
    },
  )
}
