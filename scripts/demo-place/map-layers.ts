import type { Feature, Position } from 'geojson'

/** A feature of OpenStreetMap, with its tags as properties. */
export type MapFeature = Feature

/** A feature for one layer of a map, shown from `min_zoom` on. */
export type LayerFeature = { layer: LayerName; feature: Feature }
export type LayerName = 'earth' | 'landuse' | 'water' | 'roads' | 'buildings' | 'boundaries' | 'places' | 'pois'

type Tags = Record<string, string | undefined>
type Drawn = { layer: LayerName; kind: string; min_zoom: number; [property: string]: string | number | boolean }
type Rule = (tags: Tags, feature: Feature) => Drawn | undefined

/**
 * Sorts a feature into the layers of the Protomaps schema (https://docs.protomaps.com/basemaps/layers), as far as the
 * style of the pages draws them.
 */
export function layersOf(feature: MapFeature): LayerFeature[] {
  const tags = (feature.properties ?? {}) as Tags
  const rules = RULES[feature.geometry.type] ?? []
  return rules.flatMap((rule) => {
    const drawn = rule(tags, feature)
    if (drawn === undefined) return []
    const { layer, ...properties } = drawn
    // A name along the outline of a river would double that of its line.
    const names = tags.waterway === 'riverbank' ? {} : namesOf(tags)
    return [{ layer, feature: { ...feature, properties: { ...properties, ...names } } }]
  })
}

const ROADS: Record<string, [kind: string, minZoom: number]> = {
  motorway: ['highway', 7],
  primary: ['major_road', 9],
  secondary: ['major_road', 10],
  secondary_link: ['major_road', 11],
  tertiary: ['major_road', 11],
  unclassified: ['minor_road', 12],
  residential: ['minor_road', 12],
  living_street: ['minor_road', 13],
  service: ['minor_road', 13],
  pedestrian: ['path', 12],
  track: ['path', 12],
  cycleway: ['path', 13],
  bridleway: ['path', 13],
  footway: ['path', 13],
  path: ['path', 13],
  steps: ['path', 14],
}

/** Kinds of ground by tag. Those that the style has no colour for get the kind of their nearest relative. */
const GROUND: Record<string, string> = {
  'landuse=forest': 'forest',
  'natural=wood': 'wood',
  'natural=scrub': 'scrub',
  'natural=fell': 'grassland',
  'landuse=meadow': 'grassland',
  'landuse=grass': 'grass',
  'landuse=vineyard': 'scrub',
  'landuse=recreation_ground': 'park',
  'landuse=village_green': 'village_green',
  'landuse=allotments': 'allotments',
  'landuse=cemetery': 'cemetery',
  'amenity=grave_yard': 'cemetery',
  'landuse=industrial': 'industrial',
  'landuse=commercial': 'industrial',
  'leisure=park': 'park',
  'leisure=pitch': 'grass',
  'leisure=playground': 'playground',
  'amenity=school': 'school',
  'amenity=university': 'university',
}

const PLACES: Record<string, { minZoom: number; rank: number; kind?: string }> = {
  town: { minZoom: 8, rank: 9 },
  village: { minZoom: 10, rank: 6 },
  hamlet: { minZoom: 12, rank: 3 },
  suburb: { minZoom: 13, rank: 2, kind: 'neighbourhood' },
}

const POIS: Record<string, [kind: string, minZoom: number]> = {
  'natural=peak': ['peak', 12],
  'historic=castle': ['attraction', 13],
  'historic=ruins': ['attraction', 14],
  'tourism=museum': ['museum', 15],
  'tourism=attraction': ['attraction', 15],
  'leisure=stadium': ['stadium', 14],
  'railway=station': ['station', 13],
  'amenity=townhall': ['townhall', 15],
  'amenity=university': ['university', 15],
  'amenity=theatre': ['theatre', 15],
}

const WATERWAYS: Record<string, [kind: string, minZoom: number]> = {
  river: ['river', 9],
  canal: ['river', 12],
  stream: ['stream', 13],
  drain: ['stream', 14],
}

/** The least area of what is drawn at level 10, in square degrees; a quarter of it is enough at each further level. */
const AREA_AT_10 = 4e-6

const RULES: Partial<Record<Feature['geometry']['type'], readonly Rule[]>> = {
  LineString: [road, rail, waterway, border],
  MultiPolygon: [ground, lake, building, poi],
  Point: [place, poi],
}

function road({ highway = '', tunnel, bridge, ref }: Tags): Drawn | undefined {
  const found = ROADS[highway]
  if (found === undefined) return undefined
  const [kind, min_zoom] = found
  return {
    layer: 'roads',
    kind,
    kind_detail: highway,
    min_zoom,
    ...(tunnel === 'yes' ? { is_tunnel: true } : {}),
    ...(bridge === 'yes' ? { is_bridge: true } : {}),
    ...(highway.endsWith('_link') ? { is_link: true } : {}),
    ...(ref === undefined ? {} : { ref, shield_text: ref }),
  }
}

function rail({ railway }: Tags): Drawn | undefined {
  return railway === 'rail' ? { layer: 'roads', kind: 'rail', kind_detail: 'rail', min_zoom: 11 } : undefined
}

function waterway({ waterway: way = '' }: Tags): Drawn | undefined {
  const found = WATERWAYS[way]
  return found && { layer: 'water', kind: found[0], kind_detail: way, min_zoom: found[1] }
}

function border({ boundary, admin_level }: Tags): Drawn | undefined {
  if (boundary !== 'administrative' || admin_level !== '2') return undefined
  return { layer: 'boundaries', kind: 'country', kind_detail: 2, min_zoom: 0 }
}

function ground(tags: Tags, feature: Feature): Drawn | undefined {
  const kind = byTag(GROUND, tags)
  return kind === undefined ? undefined : { layer: 'landuse', kind, min_zoom: zoomOfArea(feature) }
}

function lake({ natural, waterway: way, landuse }: Tags, feature: Feature): Drawn | undefined {
  if (way === 'riverbank') return { layer: 'water', kind: 'river', min_zoom: 8 }
  if (natural !== 'water' && landuse !== 'basin' && landuse !== 'reservoir') return undefined
  return { layer: 'water', kind: 'lake', min_zoom: zoomOfArea(feature) }
}

function building({ building: is }: Tags): Drawn | undefined {
  return is === undefined ? undefined : { layer: 'buildings', kind: 'building', min_zoom: 13 }
}

function place({ place: size = '', capital }: Tags): Drawn | undefined {
  const found = PLACES[size]
  if (found === undefined) return undefined
  const { minZoom, rank, kind = 'locality' } = found
  const properties = { kind_detail: size, min_zoom: minZoom, population_rank: rank, sort_key: minZoom }
  return { layer: 'places', kind, ...properties, ...(capital === 'yes' ? { capital } : {}) }
}

function poi(tags: Tags): Drawn | undefined {
  const found = tags.name === undefined ? undefined : byTag(POIS, tags)
  return found && { layer: 'pois', kind: found[0], min_zoom: found[1] }
}

function byTag<Value>(values: Record<string, Value>, tags: Tags): Value | undefined {
  const key = Object.keys(values).find((pair) => {
    const [name, value] = pair.split('=')
    return tags[name] === value
  })
  return key === undefined ? undefined : values[key]
}

function zoomOfArea({ geometry }: Feature): number {
  if (geometry.type !== 'MultiPolygon') return 14
  const area = geometry.coordinates.reduce((sum, [outer]) => sum + ringArea(outer), 0)
  return Math.min(14, Math.max(8, Math.ceil(10 + Math.log(AREA_AT_10 / area) / Math.log(4))))
}

function ringArea(ring: readonly Position[]): number {
  let doubled = 0
  for (let i = 1; i < ring.length; i++) doubled += ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1]
  return Math.abs(doubled) / 2
}

function namesOf(tags: Tags): Tags {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => /^name(:(en|fr|de))?$/.test(key)))
}
