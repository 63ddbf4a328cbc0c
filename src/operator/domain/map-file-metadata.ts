import { MapFileFault, type MapFileHeader, type TileType } from './map-file-header.ts'

const MAX_ATTRIBUTION_LENGTH = 300
/** Layers that a style for the Protomaps schema draws, and a file in another schema lacks. */
const PROTOMAPS_LAYERS = ['earth', 'roads', 'water']
/** Version of the schema that the styles are made for (https://docs.protomaps.com/basemaps/layers). */
const SCHEMA_VERSION = 4

/** Encoding of elevations in the colours of an image. */
export type ElevationEncoding = 'terrarium' | 'mapbox'

/** Facts that a map file tells about itself. */
export type MapFileFacts = {
  format: 'vector' | 'raster'
  tile_type: TileType
  min_zoom: number
  max_zoom: number
  bounds: [number, number, number, number]
  attribution: string | null
  elevation_encoding: ElevationEncoding | null
  tile_size: number | null
}

/** Facts from the metadata of a map file. */
type MapFileMetadata = {
  /** Names whose data it is, as plain text; null if the file does not say. */
  attribution: string | null
  /** Encoding of elevations, where the file names one. */
  encoding: ElevationEncoding | null
  /** Width of a raster tile in pixels, where the file names it. */
  tileSize: number | null
}

/**
 * Reads the metadata of a map file.
 * @param text JSON
 * @throws MapFileFault if it is no JSON object, or the file has vector tiles in another schema than that of Protomaps
 */
export function readMapFileMetadata(text: string, { tileType }: Pick<MapFileHeader, 'tileType'>): MapFileMetadata {
  const metadata = parseObject(text)
  if (tileType === 'mvt') checkSchema(metadata)
  const { attribution, encoding, tileSize } = metadata
  return {
    attribution: typeof attribution === 'string' ? plainText(attribution) : null,
    encoding: encoding === 'terrarium' || encoding === 'mapbox' ? encoding : null,
    tileSize: ['256', '512', '1024'].includes(String(tileSize)) ? Number(tileSize) : null,
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Answered below, like JSON that is no object.
  }
  throw new MapFileFault('broken', 'The metadata of the file are broken: they are not a JSON object.')
}

function checkSchema({ vector_layers: layers, version }: Record<string, unknown>): void {
  const names = Array.isArray(layers) ? layers.map((layer: { id?: unknown } | null) => layer?.id) : []
  if (!PROTOMAPS_LAYERS.every((name) => names.includes(name)))
    throw new MapFileFault(
      'schema',
      'The vector tiles of the file are not in the Protomaps schema: there are no layers "earth", "roads" and "water".',
    )
  const major = typeof version === 'string' ? Number.parseInt(version, 10) : SCHEMA_VERSION
  if (major < SCHEMA_VERSION)
    throw new MapFileFault(
      'schema-version',
      `The file is in version ${major} of the Protomaps schema. Cut it from a newer build, of version ${SCHEMA_VERSION} or later.`,
    )
}

/** Entities that attributions have (HTML, 13.5). */
const ENTITIES: Record<string, string> = { copy: '©', amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** Returns an attribution without its markup; null if nothing is left. */
function plainText(html: string): string | null {
  const text = html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_ATTRIBUTION_LENGTH)
  return text === '' ? null : text
}
