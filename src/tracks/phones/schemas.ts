import Type from 'typebox'

/** The address of an app: the token in it is the only credential. */
export const PhoneAddress = Type.Object({
  token: Type.String({ description: 'A token with the permission `record`.', examples: ['trk_Zm9vYmFy'] }),
})

const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))

/** The fields of the OsmAnd protocol, in a query or in a form. */
export const OsmAndFields = Type.Object({
  id: text('Id of the device. A token of a participant needs none.', '48241179'),
  lat: text('Degrees, WGS 84.', '45.923712'),
  lon: text('Degrees, WGS 84.', '6.869433'),
  timestamp: text('Seconds or milliseconds since 1970, or RFC 3339.', '1777788900'),
  altitude: text('Meters.', '1035.2'),
  accuracy: text('Meters.', '4.5'),
  speed: text('Knots.', '5.4'),
  speed_mps: text('Meters per second; counts before `speed`.', '2.75'),
  bearing: text('Degrees.', '92.5'),
  batt: text('Percent.', '87'),
})

/** The fields that GPSLogger puts in the place of `%ALL`. */
export const GpsLoggerFields = Type.Object({
  lat: text('Degrees, WGS 84.', '45.923712'),
  lon: text('Degrees, WGS 84.', '6.869433'),
  time: text('RFC 3339.', '2026-05-03T06:15:00.000Z'),
  timestamp: text('Seconds since 1970; used without `time`.', '1777788900'),
  alt: text('Meters.', '1035.2'),
  acc: text('Meters.', '4.5'),
  spd: text('Meters per second.', '2.75'),
  dir: text('Degrees.', '92.5'),
  batt: text('Percent.', '87.0'),
  aid: text('Id of the device. A token of a participant needs none.', '9774d56d682e549c'),
})

const value = <T>(type: string, description: string, example: T) =>
  Type.Optional(Type.Unsafe<unknown>({ type, description, examples: [example] }))

export const OverlandBatch = Type.Object(
  {
    locations: Type.Array(
      Type.Object(
        {
          type: value('string', 'GeoJSON.', 'Feature'),
          geometry: value('object', 'A GeoJSON point.', { type: 'Point', coordinates: [6.869433, 45.923712] }),
          properties: value('object', 'What the app knows of the position.', {
            timestamp: '2026-05-03T06:15:00Z',
            altitude: 1035,
            speed: 3,
            course: 92,
            horizontal_accuracy: 5,
            vertical_accuracy: 3,
            battery_level: 0.87,
            device_id: 'phone-7',
          }),
        },
        { title: 'OverlandLocation', description: 'A GeoJSON feature.' },
      ),
    ),
  },
  { title: 'OverlandBatch' },
)

export const OwnTracksMessage = Type.Object(
  {
    _type: value('string', 'Messages of other types than `location` are ignored.', 'location'),
    lat: value('number', 'Degrees, WGS 84.', 45.923712),
    lon: value('number', 'Degrees, WGS 84.', 6.869433),
    tst: value('integer', 'Seconds since 1970.', 1777788900),
    acc: value('number', 'Meters.', 5),
    alt: value('number', 'Meters.', 1035),
    vel: value('number', 'Kilometers per hour.', 10),
    cog: value('number', 'Degrees.', 92),
    batt: value('number', 'Percent.', 87),
    topic: value('string', 'Names the device, unless the header `X-Limit-D` does.', 'owntracks/jane/phone'),
  },
  { title: 'OwnTracksMessage' },
)

export const OverlandAnswer = Type.Object(
  { result: Type.String({ description: 'After `ok` the app removes the batch.', examples: ['ok'] }) },
  { title: 'OverlandAnswer' },
)

export const OwnTracksAnswer = Type.Array(
  Type.Object({}, { title: 'OwnTracksReply', description: 'A message for the app; there are none.' }),
  { description: 'Always empty: the app expects a list of messages.', examples: [[]] },
)
