import type { Position } from 'geojson'
import type { MapFeature } from './map-layers.ts'

/** A place that a course passes, in degrees, with its height in metres where it is known. */
export type Waypoint = { longitude: number; latitude: number; altitude?: number }

/** A place of the planned course: degrees, metres above the sea. */
export type CoursePlace = { longitude: number; latitude: number; altitude: number }

type Edge = { to: string; meters: number; cost: number }

/** Runners prefer paths: a metre of a main road counts as this many. */
const COST_OF_HIGHWAY: Record<string, number> = { primary: 2.5, secondary: 1.6, tertiary: 1.4, steps: 1.3 }
const RUNNABLE = new Set([
  ...['footway', 'path', 'track', 'cycleway', 'pedestrian', 'steps', 'bridleway', 'living_street', 'residential'],
  ...['service', 'unclassified', 'tertiary', 'secondary', 'primary'],
])
const METERS_PER_DEGREE = 111_195

/**
 * Plans a course along the streets and paths of OpenStreetMap, by the shortest way from each waypoint to the next.
 * Heights are interpolated between the waypoints that have one: they are estimates.
 * @throws Error if no way leads to a waypoint
 */
export function planCourse(features: readonly MapFeature[], waypoints: readonly Waypoint[]): CoursePlace[] {
  const edges = readEdges(features)
  const nodes = waypoints.map((waypoint) => nearestNode(edges, [waypoint.longitude, waypoint.latitude]))
  const legs = nodes.slice(1).map((node, i) => shortestWay(edges, nodes[i], node))
  const known = new Map<number, number>()
  const places: Position[] = [positionOf(nodes[0])]
  legs.forEach((leg, i) => {
    if (waypoints[i].altitude !== undefined) known.set(places.length - 1, waypoints[i].altitude)
    places.push(...leg.slice(1).map(positionOf))
  })
  known.set(places.length - 1, waypoints.at(-1)!.altitude!)
  return withHeights(places, known)
}

/** Reads the network: nodes are named by their coordinates, which ways that meet have in common. */
function readEdges(features: readonly MapFeature[]): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>()
  for (const { geometry, properties } of features) {
    const highway = properties?.highway as string | undefined
    if (geometry.type !== 'LineString' || highway === undefined || !RUNNABLE.has(highway)) continue
    const line = geometry.coordinates
    for (let i = 1; i < line.length; i++) {
      const [from, to] = [line[i - 1].join(), line[i].join()]
      const meters = metersBetween(line[i - 1], line[i])
      const cost = meters * (COST_OF_HIGHWAY[highway] ?? 1)
      edges.set(from, [...(edges.get(from) ?? []), { to, meters, cost }])
      edges.set(to, [...(edges.get(to) ?? []), { to: from, meters, cost }])
    }
  }
  return edges
}

function nearestNode(edges: ReadonlyMap<string, unknown>, position: Position): string {
  const nodes = [...edges.keys()]
  const distances = nodes.map((node) => metersBetween(positionOf(node), position))
  return nodes[distances.indexOf(Math.min(...distances))]
}

/** Finds the cheapest way between two nodes (Dijkstra 1959). */
function shortestWay(edges: ReadonlyMap<string, Edge[]>, from: string, to: string): string[] {
  const costs = new Map([[from, 0]])
  const before = new Map<string, string>()
  const open = new Set([from])
  while (open.size > 0) {
    const node = [...open].reduce((best, other) => (costs.get(other)! < costs.get(best)! ? other : best))
    if (node === to) return [...wayBack(before, to)].reverse()
    open.delete(node)
    for (const edge of edges.get(node)!) {
      const cost = costs.get(node)! + edge.cost
      if (cost >= (costs.get(edge.to) ?? Number.POSITIVE_INFINITY)) continue
      costs.set(edge.to, cost)
      before.set(edge.to, node)
      open.add(edge.to)
    }
  }
  throw new Error(`No way leads from ${from} to ${to}.`)
}

function* wayBack(before: ReadonlyMap<string, string>, to: string): Generator<string> {
  for (let node: string | undefined = to; node !== undefined; node = before.get(node)) yield node
}

/** Interpolates heights by the distance between the places where they are known. */
function withHeights(places: readonly Position[], known: ReadonlyMap<number, number>): CoursePlace[] {
  const along = [0]
  for (let i = 1; i < places.length; i++) along.push(along[i - 1] + metersBetween(places[i - 1], places[i]))
  const indexes = [...known.keys()].sort((a, b) => a - b)
  return places.map(([longitude, latitude], i) => {
    const next = indexes.find((index) => index >= i)!
    const last = indexes.findLast((index) => index <= i)!
    const share = next === last ? 0 : (along[i] - along[last]) / (along[next] - along[last])
    const meters = known.get(last)! + (known.get(next)! - known.get(last)!) * share
    return { longitude, latitude, altitude: Math.round(meters * 10) / 10 }
  })
}

function positionOf(node: string): Position {
  return node.split(',').map(Number)
}

/** Returns the distance on a plane, which suits ways of a town. */
function metersBetween([west, south]: Position, [east, north]: Position): number {
  const eastMeters = (east - west) * METERS_PER_DEGREE * Math.cos((south * Math.PI) / 180)
  return Math.hypot(eastMeters, (north - south) * METERS_PER_DEGREE)
}
