/** A place by its coordinates in degrees. */
export type Place = { latitude: number; longitude: number }

/** A line across the course, or a circle around a place of it. */
export type CheckpointShape =
  | { type: 'line'; from: Place; to: Place }
  | { type: 'circle'; latitude: number; longitude: number; radius_m: number }

export type CheckpointKind = 'start' | 'checkpoint' | 'finish'

/** A place of the course at which runners are timed. It is stored as it is on the wire. */
export type Checkpoint = {
  id: string
  name: string
  kind: CheckpointKind
  shape: CheckpointShape
  /** Metres from the beginning of the course. */
  course_distance_m: number
}

/**
 * A checkpoint as an operator sends it. Without a distance, it is where the course passes first after the one before.
 */
export type CheckpointInput = Omit<Checkpoint, 'id' | 'course_distance_m'> & {
  id?: string
  course_distance_m?: number | null
}
