import {
  levelOfPercent,
  readAccuracy,
  readCoordinate,
  readNumber,
  readText,
  readTime,
  speedOfKnots,
} from './field-values.ts'
import type { PhoneFix, PhoneRequest } from './phone-fix.ts'
import { readFields } from './read-body.ts'

/**
 * Reads the OsmAnd protocol of Traccar: one position in a query or a form, with the speed in knots. OsmAnd itself
 * fills a template and knows its speed in m/s only, so its template names that `speed_mps`. A request without a
 * position, such as a heartbeat, has none.
 */
export function readOsmAnd({ query, body }: PhoneRequest): PhoneFix[] {
  return fixesOfFields(readFields(query, body))
}

/** Returns the position in the fields of the protocol, whether they are texts or the members of JSON. */
export function fixesOfFields(fields: ReadonlyMap<string, unknown>): PhoneFix[] {
  const [latitude, longitude] = placeOf(fields)
  if (latitude === undefined && longitude === undefined) return []
  return [
    {
      deviceId: readText(fields.get('id') ?? fields.get('deviceid')),
      point: {
        latitude: readCoordinate(latitude),
        longitude: readCoordinate(longitude),
        timestamp: readTime(fields.get('timestamp')),
        altitude: readNumber(fields.get('altitude')),
        accuracy: readAccuracy(fields.get('accuracy')),
        speed_mps: readNumber(fields.get('speed_mps')) ?? speedOfKnots(fields.get('speed')),
        heading: readNumber(fields.get('bearing') ?? fields.get('heading')),
        battery: levelOfPercent(fields.get('batt')),
      },
    },
  ]
}

/** Some clients of the protocol send both coordinates in one field. */
function placeOf(fields: ReadonlyMap<string, unknown>): [unknown, unknown] {
  const location = fields.get('location')
  const [latitude, longitude] = typeof location === 'string' ? location.split(',', 2) : []
  return [fields.get('lat') ?? latitude, fields.get('lon') ?? longitude]
}
