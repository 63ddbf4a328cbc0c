import type { Pause } from '../model/track-state.ts'
import { fieldValue } from '../points/point-columns.ts'
import {
  EXPORTED_FIELDS,
  type NamedChoiceField,
  type NamedNumberField,
  type ValueColumn,
} from '../points/point-fields.ts'
import { type ExportedTrack, type PointSlice, plainDecimal, pointSlices } from './exported-track.ts'

/** Namespace of the fields that a format has no name for. */
export const TRACKPRESS_NAMESPACE = 'xmlns:trackpress="urn:trackpress:point:1"'

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Escapes text for XML 1.0, which cannot contain most control characters in any spelling (2.2); they become U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** Returns an element with a value; nothing for null and NaN, which mean an absent field. */
export function element(name: string, value: number | string | null): string {
  if (value === null || Number.isNaN(value)) return ''
  return `<${name}>${typeof value === 'number' ? plainDecimal(value) : escapeXml(value)}</${name}>`
}

/** Returns a longitude in degrees. GPX and TCX have no 180, only the -180 of the same meridian. */
export function longitudeText(longitude: number): string {
  return plainDecimal(longitude === 180 ? -180 : longitude)
}

/**
 * Returns a function that writes those fields of a point that a format has no place for as elements of our own
 * namespace, under their names in the API.
 * @param standard the columns that the format has a place for
 */
export function createOwnFields(standard: readonly ValueColumn[]): (points: PointSlice, i: number) => string {
  const own: readonly (NamedNumberField | NamedChoiceField)[] = EXPORTED_FIELDS.filter(
    ({ column }) => !standard.includes(column),
  )
  return (points, i) => {
    let text = ''
    for (const field of own) text += element(`trackpress:${field.key}`, fieldValue(points, i, field))
    return text
  }
}

/**
 * Yields the points of a track, some at a time.
 * @param atPause text between two points with a pause between them
 * @param write writes a point
 */
export async function* writePoints(
  { pauses, pages }: ExportedTrack,
  atPause: string,
  write: (points: PointSlice, i: number) => string,
): AsyncGenerator<string> {
  const isAfterPause = createPauseCuts(pauses)
  for await (const points of pointSlices(pages)) {
    let text = ''
    for (let i = points.from; i < points.to; i++) {
      if (isAfterPause(points.timeMs[i])) text += atPause
      text += write(points, i)
    }
    yield text
  }
}

/**
 * Returns a function that takes the times of a track's points in their order, and tells for each whether a pause began
 * or ended between it and the point before. There, programs must not join the points. A pause causes at most two cuts,
 * however many points a phone sends during it.
 */
export function createPauseCuts(pauses: readonly Pause[]): (timeMs: number) => boolean {
  const lasting = pauses.filter(({ fromMs, toMs }) => fromMs < toMs)
  let ended = 0
  let lastPart: number | undefined
  return (timeMs) => {
    while (ended < lasting.length && lasting[ended].toMs <= timeMs) ended++
    const isPaused = ended < lasting.length && lasting[ended].fromMs < timeMs
    const part = 2 * ended + (isPaused ? 1 : 0)
    const isCut = lastPart !== undefined && part !== lastPart
    lastPart = part
    return isCut
  }
}
