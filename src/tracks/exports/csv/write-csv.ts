import { formatDateTime } from '#platform/time/date-time.ts'
import { POINT_FIELDS, VALUE_FIELDS } from '../../points/point-fields.ts'
import { fieldValue } from '../../points/point-values.ts'
import { type ExportedTrack, type PointSlice, pointSlices } from '../track/exported-track.ts'
import { plainDecimal } from '../track/plain-decimal.ts'

const HEADER = [POINT_FIELDS.timeMs, ...VALUE_FIELDS].map(({ key }) => key).join()

/**
 * Writes the points of a track as CSV (RFC 4180) with a header, in pieces; a field that was not sent is empty. No cell
 * holds text that someone else chose, so none can be a formula: all are times, numbers, or one of a few words.
 */
export async function* writeCsv({ pages }: Pick<ExportedTrack, 'pages'>): AsyncGenerator<string> {
  yield `${HEADER}\r\n`
  for await (const points of pointSlices(pages)) {
    let text = ''
    for (let i = points.from; i < points.to; i++) text += `${line(points, i)}\r\n`
    yield text
  }
}

function line(points: PointSlice, i: number): string {
  const values = VALUE_FIELDS.map((field) => {
    const value = fieldValue(points, i, field)
    return typeof value === 'number' ? plainDecimal(value) : (value ?? '')
  })
  return [formatDateTime(points.timeMs[i]), ...values].join()
}
