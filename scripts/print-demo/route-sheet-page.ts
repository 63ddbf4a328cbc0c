import type { ActivityPoint } from '../activity-file/activity-file.ts'
import { distancesMeters, shapeOf, thinned } from './recorded-route.ts'

/** The content of a route sheet. The totals are those that the device recorded. */
export type RouteSheet = {
  title: string
  subtitle: string
  points: readonly ActivityPoint[]
  figures: Record<string, string>
}

/** A3, landscape, in points. */
const [WIDTH, HEIGHT] = [1190.55, 841.89]
const MAP = { x: 560, y: 66, side: 430 }
const PROFILE = { x: 70, y: 590, width: WIDTH - 140, height: 150 }
const MAX_CORNERS = 900
const KM_BETWEEN_MARKS = 5
/** Colours from the lowest to the highest point of the route. */
const COLOURS_OF_HEIGHT = ['#2c7fb8', '#37c2b4', '#a5d86e', '#f6c64f', '#f0784a']

/** Writes one large page with little text: the route, coloured by elevation, and its profile. */
export function routeSheetPage({ title, subtitle, points, figures }: RouteSheet): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<link rel="stylesheet" href="print.css">
<style>@page { size: ${WIDTH}pt ${HEIGHT}pt; margin: 0 }</style>
<body class="sheet">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${grid()}${route(points)}${profile(points)}</svg>
<h1>${title}</h1>
<p>${subtitle}</p>
<dl>${Object.entries(figures)
    .map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)
    .join('')}</dl>
</body>
</html>`
}

function grid(): string {
  const places = Array.from({ length: 17 }, (_, i) => 35 + i * 70)
  return `<path class="grid" d="${places.map((at) => `M${at} 0V${HEIGHT}M0 ${at}H${WIDTH}`).join('')}"/>`
}

function route(points: readonly ActivityPoint[]): string {
  const { low, high, heights } = heightsOf(points)
  const places = shapeOf(points).map(({ x, y }, i) => {
    const step = Math.floor(((heights[i] - low) / (high - low || 1)) * COLOURS_OF_HEIGHT.length)
    const colour = COLOURS_OF_HEIGHT[Math.min(COLOURS_OF_HEIGHT.length - 1, step)]
    return { place: pair(MAP.x + x * MAP.side, MAP.y + y * MAP.side), colour }
  })
  const corners = thinned(places, MAX_CORNERS)
  const lines = corners
    .slice(1)
    .map(({ place, colour }, i) => `<path d="M${corners[i].place}L${place}" stroke="${colour}"/>`)
  const [x, y] = corners[0].place.split(' ')
  return `<g class="route">${lines.join('')}<circle cx="${x}" cy="${y}" r="9"/></g>`
}

/** Draws elevation over distance, with marks every few kilometers and the lowest and highest height. */
function profile(points: readonly ActivityPoint[]): string {
  const { x, y, width, height } = PROFILE
  const { low, high, heights } = heightsOf(points)
  const distancesKm = distancesMeters(points).map((meters) => meters / 1000)
  const lengthKm = distancesKm.at(-1)!
  const across = (km: number) => x + (km / lengthKm) * width
  const corners = thinned(
    heights.map((meters, i) =>
      pair(across(distancesKm[i]), y + height - ((meters - low) / (high - low || 1)) * (height - 12)),
    ),
    MAX_CORNERS,
  ).join('L')
  const marks = Array.from({ length: Math.floor(lengthKm / KM_BETWEEN_MARKS) + 1 }, (_, i) => {
    const at = across(i * KM_BETWEEN_MARKS).toFixed(1)
    return `<path d="M${at} ${y + height}v5"/><text x="${at}" y="${y + height + 18}">${i * KM_BETWEEN_MARKS} km</text>`
  })
  return `<path class="below" d="M${x} ${y + height}L${corners}L${x + width} ${y + height}Z"/><path class="profile" d="M${corners}"/>
<g class="marks">${marks.join('')}<text x="${x + 12}" y="${y + 6}">${Math.round(high)} m</text>
<text x="${x - 18}" y="${y + height}">${Math.round(low)} m</text></g>`
}

function heightsOf(points: readonly ActivityPoint[]): { low: number; high: number; heights: number[] } {
  const heights = points.map(({ altitude }) => altitude ?? 0)
  return { low: Math.min(...heights), high: Math.max(...heights), heights }
}

function pair(x: number, y: number): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}
