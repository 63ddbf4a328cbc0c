import { formatDateTime } from '#platform/time/date-time.ts'
import { ORIGINS } from '../points/point-columns.ts'
import { type ExportedTrack, type PointsPage, plainDecimal } from './exported-track.ts'

const COLUMNS = 'timestamp,latitude,longitude,altitude,accuracy,speed_mps,heading,battery,origin'

/** The points of a track as CSV (RFC 4180) with a header, in pieces; what was not sent is empty. */
export async function* writeCsv({ pages }: Pick<ExportedTrack, 'pages'>): AsyncGenerator<string> {
  yield `${COLUMNS}\r\n`
  for await (const page of pages) {
    let text = ''
    for (let i = page.from; i < page.to; i++) text += `${line(page, i)}\r\n`
    yield text
  }
}

function line(page: PointsPage, i: number): string {
  const numbers = [page.altitude, page.accuracy, page.speedMps, page.heading, page.battery].map((column) =>
    Number.isNaN(column[i]) ? '' : plainDecimal(column[i]),
  )
  const place = [plainDecimal(page.latitude[i]), plainDecimal(page.longitude[i])]
  return [formatDateTime(page.timeMs[i]), ...place, ...numbers, ORIGINS[page.origin[i]] ?? ''].join()
}
