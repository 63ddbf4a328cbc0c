import type { PointColumns } from '../../points/point-columns.ts'
import { MAX_NUMBER_BYTES, writeNumber } from './write-number.ts'
import { copyText, type Output, type OutputText, outputText } from './write-text.ts'
import { TIMESTAMP_BYTES, writeTimestamp } from './write-timestamp.ts'

const COMMA = 0x2c
const QUOTE = 0x22
const RIGHT_BRACE = 0x7d

/** What stands before the values, with the comma or brace before the key. */
const LATITUDE = outputText('{"latitude":')
const LONGITUDE = outputText(',"longitude":')
const TIMESTAMP = outputText(',"timestamp":"')

const ALTITUDE = outputText(',"altitude":')
const ACCURACY = outputText(',"accuracy":')
const SPEED = outputText(',"speed_mps":')
const HEADING = outputText(',"heading":')
const BATTERY = outputText(',"battery":')

/** How many decimals are tried first. */
const DEGREE_HINT = 7

/** The longest a point gets: its keys, seven numbers, a timestamp, and the comma, quote and brace around them. */
const MAX_POINT_BYTES =
  [LATITUDE, LONGITUDE, TIMESTAMP, ALTITUDE, ACCURACY, SPEED, HEADING, BATTERY].reduce((n, key) => n + key.length, 3) +
  7 * MAX_NUMBER_BYTES +
  TIMESTAMP_BYTES

/** Points are written into this block and copied out when it is full: 3,000 points in any case, mostly 6,000. */
const BLOCK_BYTES = 1_048_576
const bytes = Buffer.alloc(BLOCK_BYTES)
const block: Output = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }

/**
 * The points from `start` up to but not including `end` as elements of a JSON array, with commas between them and, if
 * `isFirst` is false, before the first one. Every number is written so that reading gives back the same double.
 * The text takes up to 0.3 KB a point; long lists are written a few thousand points at a time.
 */
export function writePointsJson(points: PointColumns, start: number, end: number, isFirst: boolean): Buffer {
  const texts: Buffer[] = []
  let at = 0
  for (let index = start; index < end; index++) {
    if (at > BLOCK_BYTES - MAX_POINT_BYTES) {
      texts.push(Buffer.from(bytes.subarray(0, at)))
      at = 0
    }
    if (!isFirst || index > start) bytes[at++] = COMMA
    at = writePoint(points, index, at)
  }
  const last = Buffer.from(bytes.subarray(0, at))
  return texts.length === 0 ? last : Buffer.concat([...texts, last])
}

function writePoint(points: PointColumns, index: number, start: number): number {
  let at = writeNumber(block, copyText(block, start, LATITUDE), points.latitude[index], DEGREE_HINT)
  at = writeNumber(block, copyText(block, at, LONGITUDE), points.longitude[index], DEGREE_HINT)
  at = writeTimestamp(block, copyText(block, at, TIMESTAMP), points.timeMs[index])
  bytes[at++] = QUOTE
  at = writeOptional(at, points.altitude[index], ALTITUDE, 1)
  at = writeOptional(at, points.accuracy[index], ACCURACY, 1)
  at = writeOptional(at, points.speedMps[index], SPEED, 2)
  at = writeOptional(at, points.heading[index], HEADING, 1)
  at = writeOptional(at, points.battery[index], BATTERY, 2)
  bytes[at] = RIGHT_BRACE
  return at + 1
}

function writeOptional(at: number, value: number, key: OutputText, hint: number): number {
  return Number.isNaN(value) ? at : writeNumber(block, copyText(block, at, key), value, hint)
}
