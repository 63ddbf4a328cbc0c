import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { leastLength, MapFileFault, type MapFileHeader, readDirectory, readMapFileHeader } from './pmtiles.ts'
import type { MapFileFacts } from './schemas.ts'

const MAX_ATTRIBUTION_LENGTH = 300
/** Layers that a style for the Protomaps schema draws, and a file in another schema lacks. */
const PROTOMAPS_LAYERS = ['earth', 'roads', 'water']
/** Version of the schema that the styles are made for (https://docs.protomaps.com/basemaps/layers). */
const SCHEMA_VERSION = 4

/**
 * Reads the metadata of a map file.
 * @param text JSON
 * @throws MapFileFault if it is no JSON object, or the file has vector tiles in a schema other than Protomaps
 */
function readMapFileMetadata(text: string, { tileType }: MapFileHeader) {
  const metadata = parseObject(text)
  if (tileType === 'mvt') checkSchema(metadata)
  const { attribution, encoding, tileSize } = metadata
  return {
    attribution: typeof attribution === 'string' ? plainText(attribution) : null,
    elevation_encoding: encoding === 'terrarium' || encoding === 'mapbox' ? encoding : null,
    tile_size: ['256', '512', '1024'].includes(String(tileSize)) ? Number(tileSize) : null,
  } as const
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

/** A directory of 16 KiB and metadata of 1 MiB unfold to far less than this, unless they are meant to do harm. */
const MAX_UNFOLDED_BYTES = 16 * 1_048_576

const unzip = promisify(gunzip)

/** The parts of a map file that identify it. */
type MapFileParts = {
  /** The first 16 KiB, or the whole file if it is shorter. */
  beginning: Buffer
  metadata: Buffer
  sizeBytes: number
}

/**
 * Checks the header and metadata of a map file and returns its facts.
 * @throws MapFileFault
 */
export async function readMapFileFacts({ beginning, metadata, sizeBytes }: MapFileParts): Promise<MapFileFacts> {
  const header = readMapFileHeader(beginning)
  const least = leastLength(header)
  if (sizeBytes < least)
    throw new MapFileFault(
      'incomplete',
      `The file is incomplete: it has ${sizeBytes} bytes, and its header names ${least}.`,
    )
  const { offset, length } = header.root
  readDirectory(await unfold(beginning.subarray(offset, offset + length), header), header)
  const text = (await unfold(metadata, header)).toString('utf8')
  return {
    format: header.tileType === 'mvt' ? 'vector' : 'raster',
    tile_type: header.tileType,
    min_zoom: header.minZoom,
    max_zoom: header.maxZoom,
    bounds: header.bounds,
    ...readMapFileMetadata(text, header),
  }
}

/** Decompresses a directory or the metadata of a file. @throws MapFileFault */
export async function unfold(
  bytes: Buffer,
  { isInternalGzip }: MapFileHeader,
  maxOutputLength = MAX_UNFOLDED_BYTES,
): Promise<Buffer> {
  if (!isInternalGzip || bytes.length === 0) return bytes
  try {
    return await unzip(bytes, { maxOutputLength })
  } catch {
    throw new MapFileFault(
      'broken',
      'The directory or the metadata of the file are broken: they cannot be decompressed.',
    )
  }
}
