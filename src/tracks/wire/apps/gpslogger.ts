import { levelOfPercent, readAccuracy, readCoordinate, readNumber, readText, readTime } from './field-values.ts'
import type { PhoneFix, PhoneRequest } from './phone-fix.ts'
import { readFields } from './read-body.ts'

/**
 * Reads GPSLogger, which fills the template `%ALL` with names of its own, in a query or in a body. The speed is in m/s.
 * `time` has milliseconds and `timestamp` has not.
 */
export function readGpsLogger({ query, body }: PhoneRequest): PhoneFix[] {
  const fields = readFields(query, body)
  if (!fields.has('lat') && !fields.has('lon')) return []
  return [
    {
      deviceId: readText(fields.get('aid')) ?? readText(fields.get('ser')),
      point: {
        latitude: readCoordinate(fields.get('lat')),
        longitude: readCoordinate(fields.get('lon')),
        timestamp: readTime(fields.get('time') || fields.get('timestamp')),
        altitude: readNumber(fields.get('alt')),
        accuracy: readAccuracy(fields.get('acc')),
        speed_mps: readNumber(fields.get('spd')),
        heading: readNumber(fields.get('dir')),
        battery: levelOfPercent(fields.get('batt')),
      },
    },
  ]
}
