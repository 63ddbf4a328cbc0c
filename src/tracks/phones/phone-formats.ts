import { badRequest } from '#platform/basics/errors.ts'
import { isObject } from '#platform/http/parse-json.ts'
import { checkLeniently, type RejectedPoints } from '../points/check-point.ts'
import { type PointColumns, sortPoints } from '../points/point-columns.ts'
import type { AltitudeReference } from '../points/sea-level.ts'
import {
  isJson,
  levelOfPercent,
  memberAt,
  type PhoneFix,
  type PhoneRequest,
  type ReadFixes,
  readAccuracy,
  readCoordinate,
  readFields,
  readJson,
  readNumber,
  readText,
  readTime,
  speedOfKmh,
  speedOfKnots,
  systemOf,
} from './phone-fix.ts'

/**
 * Reads the OsmAnd protocol of Traccar: one position in a query or a form, with the speed in knots. OsmAnd itself
 * fills a template and knows its speed in m/s only, so its template names that `speed_mps`. A request without a
 * position, such as a heartbeat, has none.
 */
const readOsmAnd: ReadFixes = ({ query, body }) => fixesOfFields(readFields(query, body))

/** Returns the position in the fields of the protocol, whether they are texts or the members of JSON. */
function fixesOfFields(fields: ReadonlyMap<string, unknown>): PhoneFix[] {
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

/**
 * Reads Traccar Client: versions before 9 send a query, version 9 the JSON of its location library, one location or
 * several, and later ones a form, or a list with the same fields. Altitudes are from the system's API.
 */
function readTraccar(request: PhoneRequest): PhoneFix[] {
  const fixes = isJson(request.body) ? objectsIn(request.body).flatMap(fixesOfObject) : readOsmAnd(request)
  const system = systemOf(request)
  const usual = system && (system === 'ios' ? 'sea_level' : 'ellipsoid')
  return fixes.map((fix) => ({ ...fix, altitudeReference: fix.altitudeReference ?? usual }))
}

/** Returns the object of a JSON body, or those of its list. */
function objectsIn(body: Buffer): Record<string, unknown>[] {
  return [readJson(body)].flat().filter(isObject)
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
      altitudeReference: referenceOfCoords(coords),
    },
  ]
}

/**
 * The location library also sends the height above the ellipsoid, which on Android is the altitude itself. On iOS, both
 * are 0 with a negative accuracy if neither is known.
 */
function referenceOfCoords(coords: Record<string, unknown>): AltitudeReference | undefined {
  const [altitude, ellipsoidal] = [readNumber(coords.altitude), readNumber(coords.ellipsoidal_altitude)]
  const isKnown = (readNumber(coords.altitude_accuracy) ?? 0) >= 0
  if (altitude === undefined || ellipsoidal === undefined || !isKnown) return undefined
  return altitude === ellipsoidal ? 'ellipsoid' : 'sea_level'
}

/**
 * Reads GPSLogger, which fills the template `%ALL` with names of its own, in a query or in a body. The speed is in m/s.
 * `time` has milliseconds and `timestamp` has not.
 */
function readGpsLogger({ query, body }: PhoneRequest): PhoneFix[] {
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

/**
 * Reads a batch of Overland: GeoJSON features with a point. Visits and trips among them are no positions of a track,
 * and `current` comes again in a batch of its own. Altitude without a vertical accuracy is invalid on iOS.
 */
function readOverland({ body }: PhoneRequest): PhoneFix[] {
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
    // The app is for iOS alone.
    altitudeReference: 'sea_level',
  }
}

/** Type of the messages with a position. Others, encrypted ones too, are accepted and left. */
const LOCATION = 'location'

/**
 * Reads a message of OwnTracks, or several. The app sends an empty body when a friend was removed. It names the device
 * in a header or in the MQTT topic that it would publish to. Its altitudes on Android are of either kind.
 */
function readOwnTracks(request: PhoneRequest): PhoneFix[] {
  if (request.body.length === 0) return []
  const altitudeReference = systemOf(request) === 'ios' ? 'sea_level' : undefined
  return objectsIn(request.body)
    .filter(({ _type }) => _type === LOCATION)
    .map((message) => ({ ...fixOfMessage(message, request.headers), altitudeReference }))
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

/**
 * The positions of a request: of each device the valid ones in canonical order with what their altitudes are above,
 * their number, and those left out.
 */
type PhoneBatch = {
  devices: {
    deviceId: string | undefined
    altitudeReference: AltitudeReference | undefined
    points: PointColumns
  }[]
  count: number
  rejected: RejectedPoints
}

/** Reads a request of an app. @throws badRequest, payloadTooLarge for a body that cannot be read or has too much */
export function readPhoneBatch(request: PhoneRequest & { app: PhoneAppName }): PhoneBatch {
  const fixes = READERS[request.app](request)
  if (fixes.length > MAX_FIXES) {
    throw badRequest({ detail: `A request may have ${MAX_FIXES} positions. Set a smaller batch in the app.` })
  }
  const devices = Map.groupBy(fixes, ({ deviceId }) => deviceId)
  if (devices.size > MAX_DEVICES) {
    throw badRequest({ detail: `A request may have positions of ${MAX_DEVICES} devices.` })
  }
  const { points, rejected } = checkLeniently(pointsOf(fixes))
  return {
    devices: [...devices]
      .map(([deviceId, ofDevice]) => ({
        deviceId,
        // A phone keeps its system.
        altitudeReference: ofDevice.find(({ altitudeReference }) => altitudeReference)?.altitudeReference,
        points: sortPoints(checkLeniently(pointsOf(ofDevice)).points),
      }))
      .filter(({ points }) => points.count > 0),
    count: points.count,
    rejected,
  }
}

function pointsOf(fixes: readonly PhoneFix[]) {
  return fixes.map(({ point }) => point)
}
