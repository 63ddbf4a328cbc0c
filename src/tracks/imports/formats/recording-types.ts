/** Formats of recordings, with the type under which each is sent. */
export const RECORDING_TYPES = {
  gpx: 'application/gpx+xml',
  tcx: 'application/vnd.garmin.tcx+xml',
  fit: 'application/vnd.ant.fit',
  kml: 'application/vnd.google-earth.kml+xml',
  geojson: 'application/geo+json',
} as const

export type RecordingFormat = keyof typeof RECORDING_TYPES
