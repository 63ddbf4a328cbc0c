import Type, { type Static } from 'typebox'
import { writeCsv } from './csv.ts'
import type { ExportedTrack } from './exported-track.ts'
import { writeFit } from './fit.ts'
import { MAX_FIT_TIME_MS, MIN_FIT_TIME_MS } from './fit-profile.ts'
import { writeGeojson } from './geojson.ts'
import { writeGpx, writeKml, writeTcx } from './xml.ts'

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
  geojson: { ...text('application/geo+json', writeGeojson), hasTotals: true },
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

/** The formats of an export, in the order in which they are offered. */
const EXPORT_FORMAT_NAMES = ['gpx', 'tcx', 'fit', 'geojson', 'kml', 'csv'] as const
export type ExportFormatName = (typeof EXPORT_FORMAT_NAMES)[number]

const DESCRIPTION = 'GPX 1.1, TCX, FIT activity, GeoJSON (RFC 7946), KML 2.2 with `gx:Track`, or CSV (RFC 4180).'

export const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(EXPORT_FORMAT_NAMES, {
      description: `${DESCRIPTION} Without it, the format that \`Accept\` prefers; GPX if it names none.`,
      examples: ['gpx'],
    }),
  ),
})
export type ExportQuery = Static<typeof ExportQuery>

export const ArchiveQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(EXPORT_FORMAT_NAMES, { description: `${DESCRIPTION} Default: GPX.`, examples: ['gpx'] }),
  ),
})
