import { formatDateTime } from '#platform/time/date-time.ts'
import { POINT_FIELDS, VALUE_FIELDS } from '../points/point-fields.ts'
import { fieldValue } from '../points/point-values.ts'
import { type ExportedTrack, type PointsPage, plainDecimal } from './exported-track.ts'

const HEADER = [POINT_FIELDS.timeMs, ...VALUE_FIELDS].map(({ key }) => key).join()

/** Writes the points of a track as CSV (RFC 4180) with a header, in pieces; a field that was not sent is empty. */
export async function* writeCsv({ pages }: Pick<ExportedTrack, 'pages'>): AsyncGenerator<string> {
  yield `${HEADER}\r\n`
  for await (const page of pages) {
    let text = ''
    for (let i = page.from; i < page.to; i++) text += `${line(page, i)}\r\n`
    yield text
  }
}

function line(page: PointsPage, i: number): string {
  const values = VALUE_FIELDS.map((field) => {
    const value = fieldValue(page, i, field)
    return typeof value === 'number' ? plainDecimal(value) : (value ?? '')
  })
  return [formatDateTime(page.timeMs[i]), ...values].join()
}
