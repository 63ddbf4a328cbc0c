import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientLeft } from '#platform/http/client-left.ts'
import { acceptedEncoding, sendJsonBytes } from '#platform/http/encoded-bytes.ts'
import type { ProfileView } from '../../computing/profile-task.ts'
import type { Profiles } from '../../computing/profiles.ts'
import { trackNotFound } from '../../errors.ts'
import type { OperatorTracksStore } from '../../storage/operator-tracks-store.ts'

export type ProfileDeps = { operatorTracks: Pick<OperatorTracksStore, 'find'>; profiles: Profiles }

/** Answers an operator with a view of a track. @throws trackNotFound; rateLimited, unavailable if too many wait */
export async function sendProfile(
  { operatorTracks, profiles }: ProfileDeps,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  view: ProfileView,
) {
  const row = await operatorTracks.find(request.params.id)
  if (row === undefined) throw trackNotFound()
  const encoding = acceptedEncoding(request)
  const asker = { kind: 'operator', caller: request.operatorId, encoding, left: clientLeft(reply) } as const
  return sendJsonBytes(reply, await profiles(row, view, asker), encoding)
}
