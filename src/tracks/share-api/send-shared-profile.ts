import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientLeft } from '#platform/http/client-left.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/encoded-bytes.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { DelayedTracks } from '../computing/delay/delayed-tracks.ts'
import type { ProfileView } from '../computing/profile-task.ts'
import type { Profiles } from '../computing/profiles.ts'
import { trackNotFound } from '../errors.ts'
import { wholeEvent } from '../storage/track-scope.ts'
import type { TracksStore } from '../storage/tracks-store.ts'
import { openShare, type ShareDeps } from './open-share.ts'

export type SharedProfileDeps = ShareDeps & {
  tracks: Pick<TracksStore, 'get'>
  profiles: Profiles
  delayedTracks: DelayedTracks
}

type SharedRequest = FastifyRequest<{ Params: { token: string; id: string } }>

/** Answers a spectator with a view of a shared track. @throws shareNotFound, shareEnded, trackNotFound; unavailable */
export async function sendSharedProfile(
  deps: SharedProfileDeps,
  request: SharedRequest,
  reply: FastifyReply,
  view: ProfileView,
) {
  const { token, id } = request.params
  const share = await openShare(deps, token)
  if (share.track_id !== null && share.track_id !== id) throw trackNotFound()
  const [row] = await deps.delayedTracks([await deps.tracks.get(wholeEvent(share.event_id), id)], share.shownUntilMs)
  if (row === undefined) throw trackNotFound()
  const encoding = acceptedEncoding(request)
  const caller = addressGroup(request.ip)
  const asker = { kind: 'spectator', caller, encoding, left: clientLeft(reply) } as const
  return sendJsonBytes(reply, await deps.profiles(row, view, asker), encoding)
}
