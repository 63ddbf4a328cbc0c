import { badRequest } from '#platform/errors.ts'
import { isObject } from '../../points/check-point.ts'
import { memberAt, readCoordinate, readNumber, readText, readTime } from './field-values.ts'
import type { PhoneFix, PhoneRequest } from './phone-fix.ts'
import { readJson } from './read-body.ts'

/**
 * Reads a batch of Overland: GeoJSON features with a point. Visits and trips among them are no positions of a track,
 * and `current` comes again in a batch of its own. Altitude without a vertical accuracy is invalid on iOS.
 */
export function readOverland({ body }: PhoneRequest): PhoneFix[] {
  const locations = memberAt(readJson(body), 'locations')
  if (!Array.isArray(locations)) {
    throw badRequest({
      detail: 'The body of Overland has a list of locations.',
      errors: [{ path: 'locations', message: 'must be an array' }],
    })
  }
  return locations.filter(isPosition).map(fixOfFeature)
}

function isPosition(feature: unknown): boolean {
  const properties = memberAt(feature, 'properties')
  if (memberAt(properties, 'action') !== undefined) return false
  return memberAt(properties, 'type') === undefined && memberAt(feature, 'geometry', 'type') === 'Point'
}

function fixOfFeature(feature: unknown): PhoneFix {
  const coordinates = memberAt(feature, 'geometry', 'coordinates')
  const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : []
  const found = memberAt(feature, 'properties')
  const properties = isObject(found) ? found : {}
  const hasAltitude = (readNumber(properties.vertical_accuracy) ?? 0) >= 0
  return {
    deviceId: readText(properties.device_id) ?? readText(properties.unique_id),
    point: {
      latitude: readCoordinate(latitude),
      longitude: readCoordinate(longitude),
      timestamp: readTime(properties.timestamp),
      altitude: hasAltitude ? readNumber(properties.altitude) : undefined,
      accuracy: readNumber(properties.horizontal_accuracy),
      speed_mps: readNumber(properties.speed),
      heading: readNumber(properties.course),
      battery: readNumber(properties.battery_level),
    },
  }
}
