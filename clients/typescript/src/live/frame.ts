/** A track as frames show it: positions to a meter, times to a second. */
export type FrameTrack = {
  id: string
  state: 'running' | 'paused' | 'stopped'
  /** Time of the last visible point in milliseconds since 1970; null without one, as are the next two. */
  timeMs: number | null
  latitude: number | null
  longitude: number | null
  /** Direction of movement in degrees; null if it is unknown. */
  heading: number | null
  /** Speed in meters per second; null if it is unknown, as after a silence. */
  speedMps: number | null
  /** Rank in the race; null without one. */
  rank: number | null
  /** Changes with what the list of tracks says and frames do not, such as the title. */
  details: number
  /** Charge of the phone in per cent; null if it is unknown, and for spectators. */
  battery: number | null
}

/** A frame that has been read. */
export type Frame = {
  number: number
  /** Time of the state that it shows, in milliseconds since 1970 by the server's clock. */
  asOfMs: number
  delaySec: number
  /** Older tracks of the event that no frame has. */
  leftOut: number
  /** True if it has all tracks. */
  isWhole: boolean
  /** The tiles that it has the tracks of; absent in a frame of the whole event. */
  tiles?: readonly Tile[]
  /** The tracks that it has: those that differ from the frame before, or all. */
  changed: readonly FrameTrack[]
}

/** A square of latitude and longitude of which frames can be read alone. */
export type Tile = { zoom: 11 | 13 | 15; x: number; y: number }
