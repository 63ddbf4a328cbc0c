import { isObject } from '../../points/check-point.ts'
import { memberAt, readAccuracy, readCoordinate, readNumber, readText, readTime } from './field-values.ts'
import { fixesOfFields, readOsmAnd } from './osmand.ts'
import type { PhoneFix, PhoneRequest } from './phone-fix.ts'
import { isJson, readJson } from './read-body.ts'

/**
 * Reads Traccar Client: versions before 9 send a query, version 9 the JSON of its location library, one location or
 * several, and later ones a form, or a list with the same fields.
 */
export function readTraccar(request: PhoneRequest): PhoneFix[] {
  if (!isJson(request.body)) return readOsmAnd(request)
  const value = readJson(request.body)
  return (Array.isArray(value) ? value : [value]).filter(isObject).flatMap(fixesOfObject)
}

function fixesOfObject(object: Record<string, unknown>): PhoneFix[] {
  const { location } = object
  if (!isObject(location) && !Array.isArray(location)) return fixesOfFields(new Map(Object.entries(object)))
  const deviceId = readText(object.device_id)
  return [location].flat().flatMap((one) => fixesOfLocation(one, deviceId))
}

/** A location without `coords` is a heartbeat. */
function fixesOfLocation(location: unknown, deviceId: string | undefined): PhoneFix[] {
  const coords = memberAt(location, 'coords')
  if (!isObject(coords)) return []
  return [
    {
      deviceId,
      point: {
        latitude: readCoordinate(coords.latitude),
        longitude: readCoordinate(coords.longitude),
        timestamp: readTime(memberAt(location, 'timestamp')),
        altitude: readNumber(coords.altitude),
        accuracy: readAccuracy(coords.accuracy),
        speed_mps: readNumber(coords.speed),
        heading: readNumber(coords.heading),
        battery: readNumber(memberAt(location, 'battery', 'level')),
      },
    },
  ]
}
