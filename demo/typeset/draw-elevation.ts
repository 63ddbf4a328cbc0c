import type { ActivityPoint } from '../../scripts/activity-file/activity-file.ts'
import { thinned } from '../recordings/recorded-route.ts'
import { FONTS } from './fonts.ts'

/** The place of the profile, and the route with the distance of each point from the start. */
export type Elevation = {
  x: number
  y: number
  width: number
  height: number
  points: readonly ActivityPoint[]
  distancesKm: readonly number[]
}

const MAX_CORNERS = 700
const KM_BETWEEN_MARKS = 5

/** Draws elevation over distance, with marks every few kilometers and labels at the lowest and highest point. */
export function drawElevation(document: PDFKit.PDFDocument, elevation: Elevation): void {
  const { x, y, width, height, points, distancesKm } = elevation
  const heights = points.map(({ altitude }) => altitude ?? 0)
  const [low, high] = [Math.min(...heights), Math.max(...heights)]
  const lengthKm = distancesKm[distancesKm.length - 1]
  const acrossOf = (km: number) => x + (km / lengthKm) * width
  const corners = thinned(
    heights.map((metres, i) => ({
      x: acrossOf(distancesKm[i]),
      y: y + height - ((metres - low) / (high - low || 1)) * (height - 12),
    })),
    MAX_CORNERS,
  )
  document.moveTo(x, y + height)
  for (const corner of corners) document.lineTo(corner.x, corner.y)
  document
    .lineTo(x + width, y + height)
    .fillOpacity(0.28)
    .fill('#37c2b4')
    .fillOpacity(1)
  for (const [i, corner] of corners.entries()) document[i === 0 ? 'moveTo' : 'lineTo'](corner.x, corner.y)
  document.lineWidth(1.6).stroke('#37c2b4')
  document.font(FONTS.plain).fontSize(9).fillColor('#7f97a9')
  for (let km = 0; km <= lengthKm; km += KM_BETWEEN_MARKS) {
    document.moveTo(acrossOf(km), y + height).lineTo(acrossOf(km), y + height + 5)
    document.lineWidth(0.8).stroke('#7f97a9')
    document.text(`${km} km`, acrossOf(km) - 10, y + height + 9, { lineBreak: false })
  }
  document.text(`${Math.round(high)} m`, x, y - 2, { lineBreak: false })
  document.text(`${Math.round(low)} m`, x - 32, y + height - 11, { lineBreak: false })
}
