import type { WirePoint } from './make-points.ts'

/** A request as an app sends it to its address, and the points that it holds. */
export type PhoneRequestExample = {
  name: string
  app: 'osmand' | 'traccar' | 'overland' | 'owntracks' | 'gpslogger'
  method: 'GET' | 'POST'
  /** What follows the address. */
  query?: string
  headers?: Record<string, string>
  body?: string
  /** Answer after which the app removes what it sent; undefined if it looks at the status alone. */
  answer?: string
  /** `user_id` of the track with a token of the whole event. */
  device: string
  points: Partial<WirePoint>[]
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** The fields and spellings are those of the apps' sources and documentation, as of 2026. */
export const PHONE_REQUESTS: readonly PhoneRequestExample[] = [
  {
    // LiveMonitoringHelper fills the template of the guide: floats, a time in milliseconds, speed in m/s.
    name: 'OsmAnd, its template filled',
    app: 'osmand',
    method: 'GET',
    query:
      '?id=osmand-7&lat=45.92371&lon=6.869433&timestamp=1777788900123&accuracy=4.5&altitude=1035.2&speed_mps=2.75&bearing=92.5',
    device: 'osmand-7',
    points: [
      {
        latitude: 45.92371,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:00.123Z',
        altitude: 1035.2,
        accuracy: 4.5,
        speed_mps: 2.75,
        heading: 92.5,
      },
    ],
  },
  {
    // Examples of the protocol's tests: text dates, and both coordinates in one field.
    name: 'OsmAnd protocol, a date with a space',
    app: 'osmand',
    method: 'GET',
    query: '?lat=49.60688&lon=6.15788&timestamp=2014-06-04+09%3A10%3A11&altitude=384.7&speed=0.0&id=353861053849681',
    device: '353861053849681',
    points: [
      { latitude: 49.60688, longitude: 6.15788, timestamp: '2014-06-04T09:10:11.000Z', altitude: 384.7, speed_mps: 0 },
    ],
  },
  {
    name: 'OsmAnd protocol, a location in one field',
    app: 'osmand',
    method: 'GET',
    query: '?id=123456&timestamp=1377177267&location=60.0,30.0',
    device: '123456',
    points: [{ latitude: 60, longitude: 30, timestamp: '2013-08-22T13:14:27.000Z' }],
  },
  {
    // ProtocolFormatter of the first app for Android: a POST whose fields are in the query, and no body.
    name: 'Traccar Client before version 9, for Android',
    app: 'traccar',
    method: 'POST',
    query:
      '?id=341122&timestamp=1777788900&lat=45.923712&lon=6.869433&speed=5.4&bearing=92.5&altitude=1035.2&accuracy=0.0&batt=87.0&charge=true',
    device: '341122',
    points: [
      {
        latitude: 45.923712,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:00.000Z',
        altitude: 1035.2,
        speed_mps: 2.778,
        heading: 92.5,
        battery: 0.87,
      },
    ],
  },
  {
    name: 'Traccar Client 9 on an emulator of Android',
    app: 'traccar',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"location":{"timestamp":"2025-06-15T13:45:12.862Z","coords":{"latitude":37.4219983,"longitude":-122.084,"accuracy":5,"speed":0,"heading":-1,"altitude":5},"is_moving":false,"odometer":0,"event":"motionchange","battery":{"level":1,"is_charging":false},"activity":{"type":"still"},"extras":{},"_":"&id=48241179&lat=37.4219983&lon=-122.084&timestamp=2025-06-15T13:45:12.862Z&"},"device_id":"48241179"}',
    device: '48241179',
    points: [
      {
        latitude: 37.4219983,
        longitude: -122.084,
        timestamp: '2025-06-15T13:45:12.862Z',
        altitude: 5,
        accuracy: 5,
        speed_mps: 0,
        battery: 1,
      },
    ],
  },
  {
    name: 'Traccar Client 9 on a simulator of iOS, which knows little',
    app: 'traccar',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"location":{"extras":{},"mock":true,"coords":{"speed_accuracy":-1,"speed":-1,"longitude":-122.406417,"ellipsoidal_altitude":0,"floor":null,"heading_accuracy":-1,"latitude":37.785834000000001,"accuracy":5,"altitude_accuracy":-1,"altitude":0,"heading":-1},"is_moving":false,"age":188,"odometer":0,"uuid":"2FB04C65-99CF-42AB-8DD3-EBCB4B108BF8","event":"motionchange","battery":{"level":-1,"is_charging":false},"activity":{"type":"unknown","confidence":100},"timestamp":"2025-05-09T04:11:30.579Z"},"device_id":"658765"}',
    device: '658765',
    points: [
      {
        latitude: 37.785834,
        longitude: -122.406417,
        timestamp: '2025-05-09T04:11:30.579Z',
        altitude: 0,
        accuracy: 5,
      },
    ],
  },
  {
    // HttpUploader of its own library: a form, with whole percent.
    name: 'Traccar Client with a library of its own',
    app: 'traccar',
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: 'id=35712244&lat=45.923712&lon=6.869433&timestamp=1777788900&accuracy=4.5&altitude=1035.2&speed=5.35&bearing=92.5&batt=87&charge=false',
    device: '35712244',
    points: [
      {
        latitude: 45.923712,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:00.000Z',
        altitude: 1035.2,
        accuracy: 4.5,
        speed_mps: 2.75227777778,
        heading: 92.5,
        battery: 0.87,
      },
    ],
  },
  {
    name: 'Traccar Client with a library of its own, as a list',
    app: 'traccar',
    method: 'POST',
    headers: JSON_TYPE,
    body: '[{"id":"35712245","lat":45.923712,"lon":6.869433,"timestamp":1777788900,"accuracy":4.5,"speed":0.0,"batt":87,"charge":false},{"id":"35712245","lat":45.92372,"lon":6.86944,"timestamp":1777788905,"accuracy":4.5,"batt":87}]',
    device: '35712245',
    points: [
      {
        latitude: 45.923712,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:00.000Z',
        accuracy: 4.5,
        speed_mps: 0,
        battery: 0.87,
      },
      { latitude: 45.92372, longitude: 6.86944, timestamp: '2026-05-03T06:15:05.000Z', accuracy: 4.5, battery: 0.87 },
    ],
  },
  {
    // The README's request, whose offset has no colon, and what GLManager writes
    // beside it: unknown values, a visit, a trip.
    name: 'Overland, a batch with a visit and a trip',
    app: 'overland',
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({
      locations: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-122.030581, 37.3318] },
          properties: {
            timestamp: '2015-10-01T08:00:00-0700',
            altitude: 0,
            speed: 4,
            horizontal_accuracy: 30,
            vertical_accuracy: -1,
            motion: ['driving', 'stationary'],
            pauses: false,
            activity: 'other_navigation',
            desired_accuracy: 100,
            deferred: 1000,
            significant_change: 'disabled',
            locations_in_payload: 1,
            battery_state: 'charging',
            battery_level: 0.8,
            device_id: 'overland-1',
            wifi: '',
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-122.0306, 37.3319] },
          properties: {
            timestamp: '2015-10-01T15:00:05Z',
            altitude: 12,
            speed: -1,
            course: -1,
            horizontal_accuracy: 5,
            vertical_accuracy: 3,
            speed_accuracy: -1,
            course_accuracy: -1,
            motion: [],
            battery_state: 'unknown',
            battery_level: -1,
            device_id: 'overland-1',
            wifi: 'home',
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-122.0306, 37.3319] },
          properties: {
            timestamp: '2015-10-01T16:00:00Z',
            action: 'visit',
            arrival_date: '2015-10-01T15:00:00Z',
            departure_date: '2015-10-01T16:00:00Z',
            horizontal_accuracy: 50,
            device_id: 'overland-1',
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-122.0306, 37.3319] },
          properties: { timestamp: '2015-10-01T16:00:00Z', type: 'trip', mode: 'walk', device_id: 'overland-1' },
        },
      ],
    }),
    answer: '{"result":"ok"}',
    device: 'overland-1',
    points: [
      {
        latitude: 37.3318,
        longitude: -122.030581,
        timestamp: '2015-10-01T15:00:00.000Z',
        accuracy: 30,
        speed_mps: 4,
        battery: 0.8,
      },
      { latitude: 37.3319, longitude: -122.0306, timestamp: '2015-10-01T15:00:05.000Z', altitude: 12, accuracy: 5 },
    ],
  },
  {
    name: 'OwnTracks for iOS',
    app: 'owntracks',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"_type":"location","acc":5,"alt":1035,"batt":87,"bs":1,"cog":92,"conn":"m","created_at":1777788901,"inregions":[],"lat":45.923712,"lon":6.869433,"m":2,"p":89.4,"t":"t","tid":"JP","topic":"owntracks/jane/phone","tst":1777788900,"vac":3,"vel":10}',
    answer: '[]',
    device: 'jane/phone',
    points: [
      {
        latitude: 45.923712,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:00.000Z',
        altitude: 1035,
        accuracy: 5,
        speed_mps: 2.77777777778,
        heading: 92,
        battery: 0.87,
      },
    ],
  },
  {
    name: 'OwnTracks for Android, named by headers',
    app: 'owntracks',
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'X-Limit-U': 'jane', 'X-Limit-D': 'pixel' },
    body: '{"_type":"location","_id":"a1b2c3d4","BSSID":"","acc":14,"alt":1035,"batt":87,"bs":1,"conn":"w","created_at":1777788960,"lat":45.923712,"lon":6.869433,"m":1,"t":"u","tid":"el","tst":1777788950,"vac":1,"vel":0}',
    answer: '[]',
    device: 'jane/pixel',
    points: [
      {
        latitude: 45.923712,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:50.000Z',
        altitude: 1035,
        accuracy: 14,
        speed_mps: 0,
        battery: 0.87,
      },
    ],
  },
  {
    // CustomUrlManager puts these in the place of %ALL.
    name: 'GPSLogger, %ALL in the address',
    app: 'gpslogger',
    method: 'GET',
    query:
      '?lat=45.923712&lon=6.869433&sat=9&desc=&alt=1035.2&acc=4.5&dir=92.5&prov=gps&spd_kph=9.9&spd=2.75&timestamp=1777788900&timeoffset=2026-05-03T08:15:00.949%2B02:00&time=2026-05-03T06:15:00.949Z&starttimestamp=1777788881&date=2026-05-03&batt=87.0&ischarging=false&aid=9774d56d682e549c&ser=unknown&act=&filename=20260503&profile=Default+Profile&hdop=0.9&vdop=&pdop=&dist=27&',
    device: '9774d56d682e549c',
    points: [
      {
        latitude: 45.923712,
        longitude: 6.869433,
        timestamp: '2026-05-03T06:15:00.949Z',
        altitude: 1035.2,
        accuracy: 4.5,
        speed_mps: 2.75,
        heading: 92.5,
        battery: 0.87,
      },
    ],
  },
  {
    name: 'GPSLogger, %ALL in a body without a type',
    app: 'gpslogger',
    method: 'POST',
    headers: { 'Content-Type': '' },
    body: 'lat=12.193&lon=19.456&sat=0&desc=&alt=0.0&acc=0.0&dir=0.0&prov=MOCK&spd_kph=0.0&spd=0.0&timestamp=1457205869&timeoffset=2016-03-05T21:24:29.949%2B02:00&time=2016-03-05T19:24:29.949Z&starttimestamp=1495884681&date=2016-03-05&batt=81.0&ischarging=false&aid=22&ser=&act=&filename=20170527abc&profile=Default+Profile&hdop=&vdop=19&pdop=&dist=0&',
    device: '22',
    points: [
      {
        latitude: 12.193,
        longitude: 19.456,
        timestamp: '2016-03-05T19:24:29.949Z',
        altitude: 0,
        speed_mps: 0,
        heading: 0,
        battery: 0.81,
      },
    ],
  },
]

/** Requests without a position, after whose answer the app goes on. */
export const PHONE_REQUESTS_WITHOUT_POINTS: readonly Omit<PhoneRequestExample, 'device' | 'points'>[] = [
  {
    name: 'a heartbeat of Traccar Client',
    app: 'traccar',
    method: 'POST',
    headers: FORM,
    body: 'id=1&timestamp=1777788900&batt=87',
  },
  {
    name: 'a heartbeat of Traccar Client 9',
    app: 'traccar',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"location":{"timestamp":"2025-06-15T13:45:12.862Z","event":"heartbeat"},"device_id":"1"}',
  },
  { name: 'an empty address', app: 'osmand', method: 'GET' },
  {
    name: 'an empty batch of Overland',
    app: 'overland',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"locations":[]}',
    answer: '{"result":"ok"}',
  },
  {
    name: 'a last will of OwnTracks',
    app: 'owntracks',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"_type":"lwt","tst":1777788900}',
    answer: '[]',
  },
  {
    name: 'an encrypted message of OwnTracks',
    app: 'owntracks',
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"_type":"encrypted","data":"bG9uZw=="}',
    answer: '[]',
  },
  { name: 'an empty body of OwnTracks', app: 'owntracks', method: 'POST', headers: JSON_TYPE, body: '', answer: '[]' },
]

/** Sends an example to the address of a token. */
export async function sendAsPhone(
  url: string,
  token: string,
  {
    app,
    method,
    query = '',
    headers = {},
    body,
  }: Pick<PhoneRequestExample, 'app' | 'method' | 'query' | 'headers' | 'body'>,
): Promise<Response> {
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
  const sent = Object.entries(headers).filter(([, value]) => value !== '')
  return await fetch(`${url}/in/${token}/${app}${query}`, { method, headers: Object.fromEntries(sent), body: bytes })
}
