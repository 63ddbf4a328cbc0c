/** The figures compared between the service, a plain sum and the device. */
export type Figures = {
  distanceMeters: number
  gainMeters: number
  maxSpeedMps: number | undefined
  durationSec: number
}

export type FigureName = keyof Figures
