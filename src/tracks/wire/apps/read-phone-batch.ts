import { badRequest } from '#platform/errors.ts'
import { checkLeniently, type RejectedPoints } from '../../points/check-leniently.ts'
import type { PointColumns } from '../../points/point-columns.ts'
import { sortPoints } from '../../points/point-order.ts'
import { readGpsLogger } from './gpslogger.ts'
import { readOsmAnd } from './osmand.ts'
import { readOverland } from './overland.ts'
import { readOwnTracks } from './owntracks.ts'
import type { PhoneFix, PhoneRequest, ReadFixes } from './phone-fix.ts'
import { readTraccar } from './traccar.ts'

/** Most positions in a request: twice the largest batch of Overland. */
const MAX_FIXES = 2000
/** Most devices in a request. Each opens tracks of its own. */
const MAX_DEVICES = 5

const READERS = {
  osmand: readOsmAnd,
  traccar: readTraccar,
  gpslogger: readGpsLogger,
  overland: readOverland,
  owntracks: readOwnTracks,
} satisfies Record<string, ReadFixes>

/** An app that sends positions in its own format, as its address names it. */
export type PhoneAppName = keyof typeof READERS

/** The positions of a request: of each device the valid ones in canonical order, their number, and those left out. */
export type PhoneBatch = {
  devices: { deviceId: string | undefined; points: PointColumns }[]
  count: number
  rejected: RejectedPoints
}

/** Reads a request of an app. @throws badRequest, payloadTooLarge for a body that cannot be read or has too much */
export function readPhoneBatch(app: PhoneAppName, request: PhoneRequest): PhoneBatch {
  const fixes = READERS[app](request)
  if (fixes.length > MAX_FIXES) throw tooMany()
  const devices = Map.groupBy(fixes, ({ deviceId }) => deviceId)
  if (devices.size > MAX_DEVICES) throw tooManyDevices()
  const { points, rejected } = checkLeniently(pointsOf(fixes))
  return {
    devices: [...devices]
      .map(([deviceId, ofDevice]) => ({ deviceId, points: sortPoints(checkLeniently(pointsOf(ofDevice)).points) }))
      .filter(({ points }) => points.count > 0),
    count: points.count,
    rejected,
  }
}

function pointsOf(fixes: readonly PhoneFix[]) {
  return fixes.map(({ point }) => point)
}

function tooMany() {
  return badRequest({ detail: `A request may have ${MAX_FIXES} positions. Set a smaller batch in the app.` })
}

function tooManyDevices() {
  return badRequest({ detail: `A request may have positions of ${MAX_DEVICES} devices.` })
}
