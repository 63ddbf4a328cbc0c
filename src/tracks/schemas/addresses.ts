import Type from 'typebox'
import { eventId, trackId } from './fields.ts'

export const EventParams = Type.Object({ id: eventId })
export const RunnerParams = Type.Object({
  id: eventId,
  userId: Type.String({ description: "The runner's `user_id`." }),
})
export const EventTokenParams = Type.Object({
  id: eventId,
  tokenId: Type.String({ description: "The token's `id`." }),
})
export const ShareParams = Type.Object({ id: Type.String({ description: "The share's `id`." }) })
export const SharedParams = Type.Object({ token: Type.String({ description: 'Token at the end of the share link.' }) })
export const SharedTrackParams = Type.Object({ ...SharedParams.properties, id: trackId })
