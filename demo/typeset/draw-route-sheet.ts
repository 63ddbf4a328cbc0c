import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'
import { distancesMeters, type Place, shapeOf, thinned } from '../recordings/recorded-route.ts'
import { drawElevation } from './draw-elevation.ts'
import { FONTS, registerFonts } from './fonts.ts'

/** The content of a route sheet. The totals are those that the device recorded. */
export type RouteSheet = {
  title: string
  subtitle: string
  points: readonly ActivityPoint[]
  figures: [string, string][]
}

/** A3, landscape. */
const WIDTH = 1190.55
const HEIGHT = 841.89
const MAP = { x: 560, y: 66, side: 430 }
const PROFILE = { x: 70, y: 590, width: WIDTH - 140, height: 150 }
const MAX_CORNERS = 900
const NIGHT = '#0d2538'
const GRID = '#17405a'
/** Colours from the lowest to the highest point of the route. */
const COLOURS_OF_HEIGHT = ['#2c7fb8', '#37c2b4', '#a5d86e', '#f6c64f', '#f0784a']

/** Draws one large page with little text: the route, coloured by elevation, and its profile. */
export async function drawRouteSheet({ title, subtitle, points, figures }: RouteSheet): Promise<Buffer> {
  const document = new PDFDocument({
    size: [WIDTH, HEIGHT],
    margin: 0,
    lang: 'en',
    info: { Title: title, Subject: subtitle, Creator: 'Trackpress', Producer: 'Trackpress' },
  })
  const written = buffer(document)
  registerFonts(document)
  document.rect(0, 0, WIDTH, HEIGHT).fill(NIGHT)
  drawGrid(document)
  drawWords(document, title, subtitle, figures)
  drawRoute(document, points)
  drawElevation(document, { ...PROFILE, distancesKm: distancesMeters(points).map((m) => m / 1000), points })
  document.end()
  return await written
}

function drawGrid(document: PDFKit.PDFDocument): void {
  for (let x = 35; x < WIDTH; x += 70) document.moveTo(x, 0).lineTo(x, HEIGHT)
  for (let y = 35; y < HEIGHT; y += 70) document.moveTo(0, y).lineTo(WIDTH, y)
  document.lineWidth(0.4).strokeOpacity(0.45).stroke(GRID).strokeOpacity(1)
}

function drawWords(document: PDFKit.PDFDocument, title: string, subtitle: string, figures: RouteSheet['figures']) {
  document.rect(70, 84, 52, 4).fill('#37c2b4')
  document.font(FONTS.light).fontSize(44).fillColor('#ffffff').text(title, 70, 102, { width: 450, lineGap: -8 })
  document
    .font(FONTS.plain)
    .fontSize(13)
    .fillColor('#9fb6c6')
    .text(subtitle, 70, document.y + 14, { width: 420 })
  let y = document.y + 40
  for (const [name, value] of figures) {
    document.font(FONTS.plain).fontSize(10).fillColor('#7f97a9').text(name, 70, y, { lineBreak: false })
    document
      .font(FONTS.bold)
      .fontSize(22)
      .fillColor('#ffffff')
      .text(value, 70, y + 12, { lineBreak: false })
    y += 54
  }
}

function drawRoute(document: PDFKit.PDFDocument, points: readonly ActivityPoint[]): void {
  const heights = points.map(({ altitude }) => altitude ?? 0)
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  const places = shapeOf(points).map((place, i) => ({
    ...placeOnSheet(place),
    colour: colourOf((heights[i] - low) / (high - low || 1)),
  }))
  const corners = thinned(places, MAX_CORNERS)
  document.lineJoin('round').lineCap('round')
  for (const [i, corner] of corners.slice(1).entries()) {
    document.moveTo(corners[i].x, corners[i].y).lineTo(corner.x, corner.y).lineWidth(5).stroke(corner.colour)
  }
  const [start] = corners
  document.circle(start.x, start.y, 9).lineWidth(3).fillAndStroke('#ffffff', NIGHT)
}

function placeOnSheet({ x, y }: Place): Place {
  return { x: MAP.x + x * MAP.side, y: MAP.y + y * MAP.side }
}

function colourOf(part: number): string {
  const last = COLOURS_OF_HEIGHT.length - 1
  return COLOURS_OF_HEIGHT[Math.min(last, Math.floor(part * (last + 1)))]
}
