import type { LiveEvent } from './live-events.ts'

/** The tracks that a reader of the stream has been told of. */
export type KnownTracks = {
  /** Notes that a connection begins. */
  beginSnapshot(): void
  /** Takes the next event. @returns deletions to tell before it */
  goneBefore(event: LiveEvent): LiveEvent[]
}

/**
 * Creates the memory of a reader. After a lost connection, the server sends what changed, or a whole snapshot again:
 * then it cannot tell what is gone, such as a track that was deleted.
 */
export function createKnownTracks(): KnownTracks {
  const known = new Set<string>()
  const delivered = new Set<string>()
  return {
    beginSnapshot: () => delivered.clear(),
    goneBefore({ name, data }) {
      if (name === 'track') {
        known.add(data.id)
        delivered.add(data.id)
      }
      if (name === 'track-deleted') known.delete(data.id)
      if (name !== 'ready' || data.tracks_left_out === undefined) return []
      const gone = [...known].filter((id) => !delivered.has(id))
      for (const id of gone) known.delete(id)
      return gone.map((id) => ({ name: 'track-deleted', data: { id } }))
    },
  }
}
