import { DEFAULT_NO_SIGNAL_AFTER_SEC } from '../domain/signal.ts'
import type { SharedView } from '../schemas/shares.ts'
import type { ShareWithEvent } from '../storage/shares-store.ts'
import { momentOrNull } from './event-json.ts'

/** Represents a share for spectators. `titleTimeZone` is the zone of events that have none of their own. */
export function sharedView(share: ShareWithEvent, titleTimeZone: string): SharedView {
  return {
    kind: share.track_id === null ? 'event' : 'track',
    title: share.track_title ?? share.event_name,
    event: {
      name: share.event_name,
      starts_on: share.starts_on,
      ends_on: share.ends_on,
      effective_time_zone: share.time_zone ?? titleTimeZone,
      no_signal_after_sec: share.no_signal_after_sec ?? DEFAULT_NO_SIGNAL_AFTER_SEC,
      spectator_delay_sec: share.spectator_delay_sec ?? 0,
    },
    track_id: share.track_id,
    expires_at: momentOrNull(share.expires_at),
  }
}
