/** What is compared, of the service, of a plain sum and of the device. */
export type Figures = {
  distanceMeters: number
  gainMeters: number
  maxSpeedMps: number | undefined
  durationSec: number
}

export type FigureName = keyof Figures
