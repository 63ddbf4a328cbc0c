import type { ExportFormatName } from '../schemas/exports.ts'
import { writeCsv } from './csv/write-csv.ts'
import { MAX_FIT_TIME_MS, MIN_FIT_TIME_MS } from './fit/fit-profile.ts'
import { writeFit } from './fit/write-fit.ts'
import { writeGeojson } from './geojson/write-geojson.ts'
import type { ExportedTrack } from './track/exported-track.ts'
import { writeGpx } from './xml/write-gpx.ts'
import { writeKml } from './xml/write-kml.ts'
import { writeTcx } from './xml/write-tcx.ts'

/** The facts of a track that decide whether a format can hold it. Times are null without points. */
type TrackSpan = { pointCount: number; firstPointMs: number | null; lastPointMs: number | null }

export type ExportFormat = {
  mediaType: string
  /** The media type with its parameters. */
  contentType: string
  /** Tells whether the file has a place for the totals of the track, which may have to be computed. */
  hasTotals: boolean
  /** Returns the reason why the format cannot hold a track, as a sentence; undefined if it can. */
  refusal?(span: TrackSpan): string | undefined
  write(track: ExportedTrack): AsyncGenerator<string | Uint8Array>
}

/** The formats by their names, which are the extensions of their files, too. */
export const EXPORT_FORMATS: Record<ExportFormatName, ExportFormat> = {
  gpx: text('application/gpx+xml', writeGpx),
  tcx: {
    ...text('application/vnd.garmin.tcx+xml', writeTcx),
    hasTotals: true,
    refusal: (span) => noPoints('TCX', span),
  },
  fit: {
    mediaType: 'application/vnd.ant.fit',
    contentType: 'application/vnd.ant.fit',
    hasTotals: true,
    refusal: (span) => noPoints('FIT', span) ?? outsideFitTime(span),
    write: writeFit,
  },
  geojson: text('application/geo+json', writeGeojson),
  kml: text('application/vnd.google-earth.kml+xml', writeKml),
  csv: { ...text('text/csv', writeCsv), contentType: 'text/csv; charset=utf-8; header=present' },
}

function text(mediaType: string, write: ExportFormat['write']): ExportFormat {
  return { mediaType, contentType: `${mediaType}; charset=utf-8`, hasTotals: false, write }
}

function noPoints(name: string, { pointCount }: TrackSpan): string | undefined {
  return pointCount === 0 ? `A ${name} file needs points, and this track has none.` : undefined
}

function outsideFitTime({ firstPointMs, lastPointMs }: TrackSpan): string | undefined {
  const isHeld = (firstPointMs ?? 0) >= MIN_FIT_TIME_MS && (lastPointMs ?? 0) <= MAX_FIT_TIME_MS
  return isHeld ? undefined : 'A FIT file cannot hold times before July 1998 or after January 2126.'
}
