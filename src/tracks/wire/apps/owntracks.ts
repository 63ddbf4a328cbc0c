import { isObject } from '../../points/check-point.ts'
import {
  levelOfPercent,
  readAccuracy,
  readCoordinate,
  readNumber,
  readText,
  readTime,
  speedOfKmh,
} from './field-values.ts'
import type { PhoneFix, PhoneRequest } from './phone-fix.ts'
import { readJson } from './read-body.ts'

/** Type of the messages with a position. Others, encrypted ones too, are accepted and left. */
const LOCATION = 'location'

/**
 * Reads a message of OwnTracks, or several. The app sends an empty body when a friend was removed. It names the device
 * in a header or in the MQTT topic that it would publish to.
 */
export function readOwnTracks({ body, headers }: PhoneRequest): PhoneFix[] {
  if (body.length === 0) return []
  const value = readJson(body)
  const messages = (Array.isArray(value) ? value : [value]).filter(isObject)
  return messages.filter(({ _type }) => _type === LOCATION).map((message) => fixOfMessage(message, headers))
}

function fixOfMessage(message: Record<string, unknown>, headers: PhoneRequest['headers']): PhoneFix {
  return {
    deviceId: deviceOf(message, headers),
    point: {
      latitude: readCoordinate(message.lat),
      longitude: readCoordinate(message.lon),
      timestamp: readTime(message.tst),
      altitude: readNumber(message.alt),
      accuracy: readAccuracy(message.acc),
      speed_mps: speedOfKmh(message.vel),
      heading: readNumber(message.cog),
      battery: levelOfPercent(message.batt),
    },
  }
}

function deviceOf({ topic, tid }: Record<string, unknown>, headers: PhoneRequest['headers']): string | undefined {
  const [user, device] = ['x-limit-u', 'x-limit-d'].map((name) => readText(headers[name]))
  if (user !== undefined || device !== undefined) return [user, device].filter((part) => part !== undefined).join('/')
  return readText(topic)?.replace(/^owntracks\//, '') ?? readText(tid)
}
