import { invalidFields } from '#platform/basics/errors.ts'
import { type Notices, NotifiedCache } from '#platform/database/notices.ts'
import type { MapPage, MapPages } from '#platform/pages/map-pages.ts'
import { contentSecurityPolicy, type FrameAncestors } from '#platform/pages/page-headers.ts'
import { type ChosenElevations, type ElevationTiles, elevationProblem } from './elevation-tiles.ts'
import { type LibraryFile, MAP_CHANGED, type MapLibrary, tilesPath, uploadedSha256 } from './map-library.ts'
import type { MapChoice, MapChoiceUpdate, MapInUse, MapTileFile } from './schemas.ts'
import type { MapsStore } from './store.ts'

/**
 * Time for which pages may show the map before a change that a notice did not bring, such as of a file in the folder.
 */
const LIFETIME_MS = 10_000

const NOTHING_CHOSEN: MapChoice = {
  kind: 'default',
  file_id: null,
  elevation_file_id: null,
  elevation_error_m: null,
  attribution: null,
  style_url: null,
  dark_style_url: null,
  origins: [],
}

const OUTLINES: MapInUse = {
  kind: 'outlines',
  is_chosen: true,
  style_url: null,
  dark_style_url: null,
  file: null,
  elevation: null,
}

/** The map of pages, with the origins that it loads from. */
type PageMap = { inUse: MapInUse; origins: readonly string[] }

type Resolved = { page: PageMap; elevations: ChosenElevations | undefined }

/** Outlines, for pages that do not know the chosen map. */
const OUTLINES_PAGE: PageMap = { inUse: OUTLINES, origins: [] }

type Deps = {
  maps: MapsStore
  library: MapLibrary
  elevationTiles: ElevationTiles
  /** MAP_STYLE_URL; empty if it is not set. */
  defaultStyleUrl: string
  /** MAP_ORIGINS, which are allowed for every style. */
  extraOrigins: readonly string[]
  notices: Notices | undefined
  now: () => number
}

/** The map that the operators have chosen. */
type ChosenMap = ReturnType<typeof createChosenMap>

export function createChosenMap({ maps, library, elevationTiles, defaultStyleUrl, extraOrigins, notices, now }: Deps) {
  async function choice(): Promise<MapChoice> {
    const stored = await maps.findChoice()
    return { ...NOTHING_CHOSEN, ...(stored === undefined ? {} : (JSON.parse(stored) as Partial<MapChoice>)) }
  }

  /** Returns the address of a usable file for pages. */
  async function tileFile(id: string | null): Promise<MapTileFile | null> {
    const file = id === null ? undefined : await library.find(id)
    return file?.facts ? { url: tilesPath(file), ...file.facts } : null
  }

  async function resolve(): Promise<Resolved> {
    const chosen = await choice()
    const { elevation_file_id: id, elevation_error_m: errorMeters } = chosen
    const file = id === null ? undefined : await library.find(id)
    const { inUse, origins } = await resolvePage(chosen)
    return {
      page: { inUse: { ...inUse, elevation: await tileFile(id) }, origins },
      elevations: file?.facts ? { file, errorMeters } : undefined,
    }
  }

  async function resolvePage(chosen: MapChoice): Promise<PageMap> {
    if (chosen.kind === 'style')
      return styleMap(chosen.style_url!, chosen.dark_style_url, [...chosen.origins, ...extraOrigins])
    if (chosen.kind === 'file') {
      const own = await tileFile(chosen.file_id)
      // A file of the folder may have gone. Outlines are better than a map that cannot load.
      if (own === null) return OUTLINES_PAGE
      const file = { ...own, attribution: chosen.attribution ?? own.attribution }
      return { inUse: { ...OUTLINES, kind: 'file', file }, origins: [] }
    }
    if (chosen.kind === 'outlines') return OUTLINES_PAGE
    if (defaultStyleUrl !== '') return styleMap(defaultStyleUrl, null, extraOrigins)
    return { inUse: { ...OUTLINES, is_chosen: false }, origins: [] }
  }

  const resolved = new NotifiedCache<Resolved>({
    find: resolve,
    topic: MAP_CHANGED,
    notices,
    nowMs: now,
    lifetimeMs: LIFETIME_MS,
    maxEntries: 1,
  })

  return {
    choice,

    /** Returns the map for pages. */
    async forPages(): Promise<PageMap> {
      return (await resolved.find('map'))!.page
    },

    /** Returns the chosen file with elevations, if it can be used. */
    async elevations(): Promise<ChosenElevations | undefined> {
      return (await resolved.find('map'))!.elevations
    },

    /** Stores a choice, for all instances. @throws BAD_REQUEST that names the field of a file that cannot be used */
    async choose(wanted: MapChoiceUpdate): Promise<void> {
      const next = onlyOfKind({ ...NOTHING_CHOSEN, ...wanted })
      await requireFile(library, 'file_id', next.file_id)
      const elevation = await requireFile(library, 'elevation_file_id', next.elevation_file_id, isElevation)
      const problem = elevation && (await elevationProblem(elevationTiles, elevation))
      if (problem !== undefined) throw invalidFields([{ path: 'elevation_file_id', message: problem }])
      const uploaded = [next.file_id, next.elevation_file_id].map(uploadedSha256).filter((id) => id !== undefined)
      if (!(await maps.choose(JSON.stringify(next), uploaded, now()))) throw missingFile('file_id')
      await resolved.announceChange('')
    },

    /** Clears the cache, here and on other instances. */
    announceChange: () => resolved.announceChange(''),

    close: () => resolved.close(),
  }
}

/** Tells whether a choice uses a file. */
export function usesFile({ kind, file_id, elevation_file_id }: MapChoice, id: string): boolean {
  return (kind === 'file' && file_id === id) || elevation_file_id === id
}

function styleMap(styleUrl: string, darkStyleUrl: string | null, others: readonly string[]): PageMap {
  const own = [styleUrl, darkStyleUrl].filter((url) => url !== null).map((url) => new URL(url).origin)
  return {
    inUse: { ...OUTLINES, kind: 'style', style_url: styleUrl, dark_style_url: darkStyleUrl },
    origins: [...new Set([...own, ...others])],
  }
}

/** Drops the fields that the kind does not use, so that no forgotten file counts as in use. */
function onlyOfKind(choice: MapChoice): MapChoice {
  const { kind, file_id, elevation_file_id, attribution, style_url, dark_style_url, origins } = choice
  const elevation_error_m = elevation_file_id === null ? null : choice.elevation_error_m
  const common = { ...NOTHING_CHOSEN, kind, elevation_file_id, elevation_error_m }
  if (kind === 'file') return { ...common, file_id, attribution: attribution?.trim() || null }
  return kind === 'style' ? { ...common, style_url, dark_style_url, origins } : common
}

async function requireFile(
  library: MapLibrary,
  field: string,
  id: string | null,
  suits: (file: LibraryFile) => boolean = () => true,
): Promise<LibraryFile | undefined> {
  if (id === null) return undefined
  const file = await library.find(id)
  if (file === undefined) throw missingFile(field)
  if (file.facts === null)
    throw invalidFields([{ path: field, message: `names a file that cannot be used: ${file.fault?.message}` }])
  if (!suits(file))
    throw invalidFields([{ path: field, message: 'must name a file with PNG or WebP images of elevations' }])
  return file
}

/** Elevations are encoded in colours, which only formats without loss keep. */
function isElevation({ facts }: LibraryFile): boolean {
  return facts !== null && ['png', 'webp'].includes(facts.tile_type)
}

function missingFile(field: string) {
  return invalidFields([{ path: field, message: 'names a map file that does not exist' }])
}

/** Hosts that a style may load from before it is chosen; hosts of this machine serve to try a style out. */
const PREVIEW_SOURCES = ['https:', 'http://localhost:*', 'http://127.0.0.1:*']

/**
 * Creates the settings of pages with a map, by the map that operators have chosen. Every service with such pages uses
 * it. While the operators' database is away, pages keep the last known map.
 */
export function createMapPages(chosenMap: ChosenMap): MapPages {
  let last: PageMap = OUTLINES_PAGE
  return {
    async forPage() {
      last = await chosenMap.forPages().catch(() => last)
      const { inUse, origins } = last
      return {
        contentSecurityPolicy: (nonce, frames) => mapPolicy(nonce, origins, frames),
        metaValues: (nonce) => ({ 'csp-nonce': nonce, map: JSON.stringify(inUse) }),
      }
    },
  }
}

/**
 * The page within the page of settings that shows a style before it is chosen, when nobody knows yet which hosts it
 * loads from. It may load from any, and run only the scripts of this server.
 */
export const previewPage: MapPage = {
  contentSecurityPolicy: (nonce) => mapPolicy(nonce, PREVIEW_SOURCES, 'self'),
  metaValues: (nonce) => ({ 'csp-nonce': nonce }),
}

/**
 * Returns the policy for the dashboard's pages, and for other pages with a map (CSP Level 3). Scripts come from the
 * server only. Style sheets that components add to the page carry the nonce of the response; styles set on an element
 * by script need none. A map loads its tiles from `mapOrigins` and runs its worker from a blob.
 */
function mapPolicy(nonce: string, mapOrigins: readonly string[], frames: FrameAncestors = 'none'): string {
  const maps = mapOrigins.map((origin) => ` ${origin}`).join('')
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': `'self' data: blob:${maps}`,
    'connect-src': `'self'${maps}`,
    'font-src': "'self'",
    'worker-src': "'self' blob:",
    'frame-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
  }
  return contentSecurityPolicy(directives, frames)
}
