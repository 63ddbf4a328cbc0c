import Type, { type Static } from 'typebox'

/** The formats of an export, in the order in which they are offered. */
export const EXPORT_FORMATS = ['gpx', 'tcx', 'fit', 'geojson', 'kml', 'csv'] as const
export type ExportFormatName = (typeof EXPORT_FORMATS)[number]

const DESCRIPTION = 'GPX 1.1, TCX, FIT activity, GeoJSON (RFC 7946), KML 2.2 with `gx:Track`, or CSV (RFC 4180).'

export const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(EXPORT_FORMATS, {
      description: `${DESCRIPTION} Without it, the format that \`Accept\` prefers; GPX if it names none.`,
      examples: ['gpx'],
    }),
  ),
})
export type ExportQuery = Static<typeof ExportQuery>

export const ArchiveQuery = Type.Object({
  format: Type.Optional(Type.Enum(EXPORT_FORMATS, { description: `${DESCRIPTION} Default: GPX.`, examples: ['gpx'] })),
})
