import { type DeviceFigure, relativeError } from './comparable.ts'
import { table } from './table.ts'

/** The figures of the service, a plain sum and the device for a file or a degraded file. */
export type Measured = { name: string; ours: Figures; plain: Figures; device: Record<FigureName, DeviceFigure> }

const FIGURES: readonly (readonly [FigureName, string])[] = [
  ['distanceMeters', 'distance, m'],
  ['gainMeters', 'gain, m'],
  ['maxSpeedMps', 'maximum speed, m/s'],
  ['durationSec', 'elapsed, s'],
]

/** Formats one table for each figure, with a row for each file and the mean of absolute errors below. */
export function fileTables(measured: readonly Measured[]): string {
  return FIGURES.map(([name, title]) => {
    const rows = measured.map(({ name: file, ours, plain, device }) => {
      const cells = [figure(device[name]), figure(ours[name]), percent(relativeError(ours, device, name))]
      return [file, ...cells, figure(plain[name]), percent(relativeError(plain, device, name))]
    })
    const mean = [`**mean absolute error, ${comparedCount(measured, name)} files**`, '', '']
    rows.push([...mean, `**${meanError(measured, name, 'ours')}**`, '', meanError(measured, name, 'plain')])
    return table([title, 'device', 'ours', 'error', 'plain sum', 'error'], rows)
  }).join('\n\n')
}

/** Formats one row for each degradation: mean absolute errors over all recordings. */
export function degradedTable(groups: readonly (readonly [string, readonly Measured[]])[]): string {
  const names = ['distanceMeters', 'gainMeters', 'maxSpeedMps'] as const
  const rows = groups.map(([title, measured]) => [
    title,
    ...names.flatMap((name) => [meanError(measured, name, 'ours'), meanError(measured, name, 'plain')]),
  ])
  return table(['recordings', 'distance', 'plain', 'gain', 'plain', 'maximum speed', 'plain'], rows)
}

function errorsOf(measured: readonly Measured[], name: FigureName, of: 'ours' | 'plain'): number[] {
  return measured.flatMap((one) => relativeError(one[of], one.device, name) ?? [])
}

function comparedCount(measured: readonly Measured[], name: FigureName): number {
  return errorsOf(measured, name, 'ours').length
}

function meanError(measured: readonly Measured[], name: FigureName, of: 'ours' | 'plain'): string {
  const errors = errorsOf(measured, name, of)
  if (errors.length === 0) return '–'
  return `${((errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length) * 100).toFixed(2)} %`
}

function figure(value: DeviceFigure | undefined): string {
  if (value === undefined) return '–'
  return typeof value === 'string' ? value : value.toFixed(Math.abs(value) < 100 ? 2 : 0)
}

function percent(error: number | undefined): string {
  return error === undefined ? '–' : `${error < 0 ? '−' : '+'}${Math.abs(error * 100).toFixed(2)} %`
}

/** The figures compared between the service, a plain sum and the device. */
export type Figures = {
  distanceMeters: number
  gainMeters: number
  maxSpeedMps: number | undefined
  durationSec: number
}

export type FigureName = keyof Figures
