import Type, { type Static } from 'typebox'
import type { FieldError } from '#platform/basics/errors.ts'
import type { ElevationEncoding } from '#platform/basics/terrain.ts'
import { nullable, nullableText, ruledBy, ruledTogether } from '#platform/http/field-rules.ts'
import { MAP_FILE_FAULTS, type MapFileFaultKind, TILE_TYPES } from './pmtiles.ts'

/** Longest address of a style; addresses of providers hold a key. */
const MAX_STYLE_URL_LENGTH = 2000
/** Far more than the hosts of any style. */
const MAX_ORIGINS = 30

/** Hosts of this machine, for which browsers allow http on any page. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns the problem with the address of a style, in words to follow its name; undefined if there is none. */
function styleUrlProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !isSecure(url)) return 'must be an https URL'
  return url.username !== '' || url.password !== '' ? 'must not contain a user name or password' : undefined
}

/** Returns the problem with an origin, in words to follow its name; undefined if there is none. */
function originProblem(text: string): string | undefined {
  const url = URL.parse(text)
  const isOrigin = url !== null && isSecure(url) && url.origin === text && /^[\w.:/[\]-]+$/.test(text)
  return isOrigin ? undefined : 'must be an https origin such as https://tiles.example.org'
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))
}

const SHA256 = '0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8'
const STYLE = 'https://tiles.openfreemap.org/styles/liberty'

const oneOf = <T extends string>(values: readonly T[], options: object) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

const FACTS = {
  format: 'vector',
  tile_type: 'mvt',
  min_zoom: 0,
  max_zoom: 14,
  bounds: [5.9, 45.8, 10.5, 47.8],
  attribution: '© OpenStreetMap',
  elevation_encoding: null,
  tile_size: null,
}

const facts = {
  format: oneOf(['vector', 'raster'] as const, {
    description: 'Vector tiles in the Protomaps schema, or images.',
    examples: ['vector'],
  }),
  tile_type: oneOf(TILE_TYPES, { description: 'Format of a tile.', examples: ['mvt'] }),
  min_zoom: Type.Integer({ description: 'Smallest zoom level of its tiles.', examples: [0] }),
  max_zoom: Type.Integer({ description: 'Largest zoom level of its tiles.', examples: [15] }),
  bounds: Type.Unsafe<[number, number, number, number]>({
    type: 'array',
    items: { type: 'number' },
    minItems: 4,
    maxItems: 4,
    description: 'West, south, east and north of its tiles, in degrees.',
    examples: [[5.9, 45.8, 10.5, 47.8]],
  }),
  attribution: nullableText({
    description: 'Whose data it is, as plain text; null if the file does not say.',
    examples: ['© OpenStreetMap'],
  }),
  elevation_encoding: nullable<ElevationEncoding>('string', {
    enum: ['terrarium', 'mapbox', null],
    description: 'Encoding of elevations in its images, if the file names one.',
    examples: [null],
  }),
  tile_size: nullable<number>('integer', {
    description: 'Width of a raster tile in pixels; null if the file does not say.',
    examples: [512],
  }),
}

/** Facts that a map file tells about itself. */
const MapFileFacts = Type.Object(facts, { title: 'MapFileFacts' })
export type MapFileFacts = Static<typeof MapFileFacts>

const styleUrl = (description: string) =>
  nullableText({
    maxLength: MAX_STYLE_URL_LENGTH,
    ...ruledBy(styleUrlProblem),
    description,
    examples: [STYLE],
  })

const choiceFields = {
  kind: oneOf(['default', 'outlines', 'file', 'style'] as const, {
    description:
      '`default`: the style of MAP_STYLE_URL, or outlines without one. `outlines`: outlines of the countries. `file`: a map file. `style`: a MapLibre style.',
    examples: ['style'],
  }),
  file_id: nullableText({
    maxLength: 300,
    description: 'With `file`: `id` of the map file.',
    examples: [null],
  }),
  elevation_file_id: nullableText({
    maxLength: 300,
    description: '`id` of a raster file with elevations, for climbs, hill shading and contour lines.',
    examples: [null],
  }),
  elevation_error_m: nullable<number>('number', {
    minimum: 0.1,
    maximum: 30,
    description:
      'With `elevation_file_id`: standard deviation of its elevations in meters. Null for the usual one: 1.5 with pixels below 15 m, else 3.',
    examples: [null],
  }),
  attribution: nullableText({
    maxLength: 200,
    description: 'With `file`: whose images they are, if the file does not say or says something else.',
    examples: [null],
  }),
  style_url: styleUrl('With `style`: its address, with https.'),
  dark_style_url: styleUrl('With `style`: the address of the style for the dark colour scheme, if there is one.'),
  origins: Type.Array(
    Type.String({ maxLength: 300, ...ruledBy(originProblem), examples: ['https://tiles.openfreemap.org'] }),
    {
      maxItems: MAX_ORIGINS,
      description:
        'With `style`: origins from which it loads tiles, fonts and images. Those of the two addresses are always allowed.',
    },
  ),
}

/** Tells which field is missing for the kind of map. */
function ruleOfKind({ kind, file_id, style_url }: Record<string, unknown>): FieldError[] {
  if (kind === 'file' && typeof file_id !== 'string') return [{ path: 'file_id', message: 'must name a map file' }]
  if (kind === 'style' && typeof style_url !== 'string')
    return [{ path: 'style_url', message: 'must be the address of a style' }]
  return []
}

export const MapChoice = Type.Object(choiceFields, { title: 'MapChoice', description: 'The map that operators chose.' })
export type MapChoice = Static<typeof MapChoice>

const { kind, ...fieldsOfKinds } = choiceFields

export const MapChoiceUpdate = Type.Object(
  { kind, ...Type.Partial(Type.Object(fieldsOfKinds)).properties },
  {
    title: 'MapChoiceUpdate',
    description: 'The map to show, with the fields of its kind.',
    ...ruledTogether(ruleOfKind),
  },
)
export type MapChoiceUpdate = Static<typeof MapChoiceUpdate>

export const MapFile = Type.Object(
  {
    id: Type.String({
      description: 'SHA-256 of an uploaded file; `folder:` and its name for one in `DATA_DIR/maps`.',
      examples: [SHA256],
    }),
    name: Type.String({ examples: ['switzerland.pmtiles'] }),
    place: oneOf(['uploaded', 'folder'] as const, { description: 'Origin of the file.', examples: ['uploaded'] }),
    size_bytes: Type.Integer({ examples: [412_000_000] }),
    facts: Type.Union([MapFileFacts, Type.Null()], {
      description: 'Facts from the file itself; null if it cannot be used.',
      examples: [FACTS],
    }),
    url: Type.String({ description: 'Path of its bytes.', examples: [`/maps/${SHA256}.pmtiles`] }),
    fault: nullable<MapFileFaultKind>('string', {
      enum: [...MAP_FILE_FAULTS, null],
      description: 'Kind of its fault, if it cannot be used.',
      examples: [null],
    }),
    is_in_use: Type.Boolean({ description: 'True while the map uses it.', examples: [true] }),
  },
  { title: 'MapFile' },
)
export type MapFile = Static<typeof MapFile>

/** A file that pages load tiles from. */
const TileFile = (title: string) =>
  Type.Object(
    {
      url: Type.String({
        description: 'Path of the file. Its content never changes.',
        examples: [`/maps/${SHA256}.pmtiles`],
      }),
      ...facts,
    },
    { title },
  )

export const MapInUse = Type.Object(
  {
    kind: oneOf(['outlines', 'file', 'style'] as const, {
      description: 'The map that pages show.',
      examples: ['style'],
    }),
    is_chosen: Type.Boolean({
      description: 'True once an operator has chosen, or MAP_STYLE_URL is set.',
      examples: [true],
    }),
    style_url: nullableText({ description: 'Address of the MapLibre style.', examples: [STYLE] }),
    dark_style_url: nullableText({
      description: 'Address of the style for the dark colour scheme.',
      examples: [null],
    }),
    file: Type.Union([TileFile('MapTileFile'), Type.Null()], {
      description: 'With `file`: the map file.',
      examples: [null],
    }),
    elevation: Type.Union([TileFile('MapElevationFile'), Type.Null()], {
      description: 'The file with elevations, if there is one.',
      examples: [null],
    }),
  },
  { title: 'MapInUse', description: 'The map that pages show now.' },
)
export type MapInUse = Static<typeof MapInUse>
export type MapTileFile = NonNullable<MapInUse['file']>

export const MapSettings = Type.Object(
  {
    choice: MapChoice,
    in_use: MapInUse,
    files: Type.Array(MapFile, { description: 'Uploaded files, the newest first, then those of the folder.' }),
    default_style_url: nullableText({ description: 'MAP_STYLE_URL, if it is set.', examples: [null] }),
    max_file_bytes: Type.Integer({ description: 'Largest file that can be uploaded.', examples: [4_000_000_000] }),
  },
  { title: 'MapSettings', description: 'The chosen map, and the files to choose from.' },
)
export type MapSettings = Static<typeof MapSettings>

export const MapFileParams = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The `id` in the list.', examples: [SHA256] }),
})

export const MapFileUpload = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    description: 'Name to show in the list.',
    examples: ['switzerland.pmtiles'],
  }),
})

export const TilesParams = Type.Object({
  file: Type.String({
    pattern: '^[0-9a-f]{64}\\.pmtiles$',
    description: 'Name of the file as the page names it.',
    examples: [`${SHA256}.pmtiles`],
  }),
})

/** Describes the body, which is never in memory as a whole. */
export const MapFileBody = Type.String({ format: 'binary', description: 'The file itself.' })
