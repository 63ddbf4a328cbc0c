import type { GuardedThing } from '#platform/http/operators/operator-rule.ts'
import { eventNotFound, shareNotFound, trackNotFound } from '../errors.ts'
import type { OperatorTracksStore } from '../storage/operator-tracks-store.ts'
import type { SharesStore } from '../storage/shares-store.ts'

type Deps = { operatorTracks: Pick<OperatorTracksStore, 'find'>; shares: Pick<SharesStore, 'find'> }

/**
 * Returns the things of events that addresses for operators name, so that the guard can tell which event each is in.
 */
export function guardedThings({ operatorTracks, shares }: Deps): GuardedThing[] {
  return [
    { address: '/operator/events/:id', containerOf: (id) => id, notFound: eventNotFound },
    {
      address: '/operator/tracks/:id',
      containerOf: async (id) => (await operatorTracks.find(id))?.event_id,
      notFound: trackNotFound,
    },
    {
      address: '/operator/shares/:id',
      containerOf: async (id) => (await shares.find(id))?.event_id,
      notFound: shareNotFound,
    },
  ]
}
