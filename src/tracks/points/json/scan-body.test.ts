import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseBody } from './read-body.ts'
import { type PointBatch, scanBody } from './scan-body.ts'

const MAX_POINTS = 5

function scan(text: string): PointBatch | undefined {
  return scanBody(Buffer.from(text), MAX_POINTS)
}

/** Asserts that whatever the scanner takes, the parser takes as well, and with the same bits in every column. */
function assertParsedAlike(body: Buffer): void {
  const scanned = scanBody(body, MAX_POINTS)
  if (scanned === undefined) return
  const { errors, rejected, ...parsed } = parseBody(body, MAX_POINTS)
  assert.deepEqual(errors, { listed: [], count: 0 }, body.toString())
  assert.deepEqual(scanned, parsed, body.toString())
}

const POINT = '{"latitude":48.8566,"longitude":2.3522,"timestamp":"2026-11-21T10:00:00.000Z"}'

/** Nearly always the one, so that many a body is right as a whole, and now and then the other. */
function mostly<Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 60, arbitrary: usual }, { weight: 1, arbitrary: rare })
}

const wrongNumber = fc.constantFrom(
  ...['00.1', '+1', '1.', '.5', '1e', '1e400', '-1e400', '-', '01', '1.5.2', '0x1', 'NaN', '1_0', '91', '"1"', 'null'],
)
const smallNumber = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '0.85',
    '0.1234567',
    '0.000',
    '-0.0',
    '0.5e0',
    '1E-7',
    '0.30000000000000004',
    '5e-324',
  ),
  fc.double({ min: 0, max: 1, noNaN: true }).map(String),
  fc.stringMatching(/^0\.[0-9]{1,25}$/),
)
const degrees = fc.oneof(
  smallNumber,
  fc.constantFrom('48.8566', '-2.352219', '89.99999999999999', '1e1', '0.1e+2', '45.000000000000000000001'),
  fc.double({ min: -90, max: 90, noNaN: true }).map(String),
  fc.stringMatching(/^-?[1-8][0-9]\.[0-9]{1,25}$/),
)
const anyNumber = fc.oneof(
  degrees,
  fc.constantFrom('9007199254740993', '-9007199254740992', '1E2', '123456789012345678901234567890', '1e308', '2e-400'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.stringMatching(/^-?[1-9][0-9]{0,25}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?$/),
)

const date = mostly(
  fc.constantFrom('2026-11-21', '2024-02-29', '1969-12-31', '2000-01-01'),
  fc.constantFrom('0000-01-01', '9999-12-31', '2026-02-30', '2023-02-29', '0000-00-00', '20261121', '1970-01-00'),
)
const clock = mostly(
  fc.constantFrom('T10:00:00', 't23:59:59', 'T23:59:60', 'T00:00:00'),
  fc.constantFrom('T24:00:00', 'T10:61:00', 'T10:00:61', 'T10:00', ' 10:00:00', 'T-1:00:00', 'T1 :00:00'),
)
const fraction = mostly(fc.stringMatching(/^(\.[0-9]{1,6})?$/), fc.constantFrom('.', '.12a', ',5'))
const offset = mostly(
  fc.constantFrom('Z', 'z', '', '+02:00', '-11:30', '-00:00', '+23:59'),
  fc.constantFrom('+24:00', '+01:60', '+0100', '+01', ' ', 'ZZ', '\\u005a'),
)
const timestamp = fc.tuple(date, clock, fraction, offset).map((parts) => `"${parts.join('')}"`)

const scalar = fc.constantFrom<string>('null', 'true', 'false', '"x"', '""', '"é😀"', '-1.5e3', '12')
const anything = mostly(
  scalar,
  fc.constantFrom('"\\n"', '[]', '{"a":[1]}', 'nul', 'truee', '"\t"', '', '-', '"', '1e999'),
)

const fieldValues = {
  latitude: mostly(degrees, wrongNumber),
  longitude: mostly(degrees, wrongNumber),
  timestamp: mostly(timestamp, anything),
  altitude: mostly(fc.oneof(anyNumber, fc.constant('null')), wrongNumber),
  accuracy: mostly(anyNumber, wrongNumber),
  speed_mps: mostly(anyNumber, wrongNumber),
  heading: mostly(smallNumber, fc.constantFrom('360', '360.0000001', '-1', '-5e-324', 'true')),
  battery: mostly(smallNumber, fc.constantFrom('1.0000001', '-0.1', '"1"')),
  origin: mostly(
    fc.constantFrom('"foreground"', '"background"', '"native"', 'null'),
    fc.constantFrom('"Native"', '"natives"', '""', '1', '"n\\u0061tive"', 'undefined'),
  ),
}
const otherKey = mostly(
  fc.constantFrom('x', '', '__proto__', 'latitudes', 'latitud', 'speed-mps', 'Altitude', 'clé', 'timestamp_ms'),
  fc.constantFrom('orig\\u0069n', 'a\\"b', 'a"b', '\u0000'),
)
const otherMember = fc.tuple(otherKey, anything)
const repeatedMember = fc.constantFrom<[string, string]>(
  ['latitude', '1'],
  ['latitude', 'null'],
  ['altitude', '"x"'],
  ['x', '1'],
)

const space = fc.constantFrom<string>('', '', '', ' ', '\n', '\r\n\t')
const spaces = mostly(fc.array(space, { minLength: 1, maxLength: 5 }), fc.constant<string[]>(['\u000b', '']))

/** Writes members as an object, with white space from `spaces` around every piece. */
function objectText(members: [string, string][], spaces: string[]): string {
  let turn = 0
  const gap = () => spaces[turn++ % spaces.length]
  const texts = members.map(([key, value]) => `${gap()}"${key}"${gap()}:${gap()}${value}${gap()}`)
  return `{${texts.join(',')}}`
}

const point = fc
  .record({
    fields: fc.record(fieldValues, { requiredKeys: ['latitude', 'longitude', 'timestamp'] }),
    others: fc.array(otherMember, { maxLength: 2 }),
    repeated: mostly(fc.constant<[string, string][]>([]), fc.array(repeatedMember, { minLength: 1, maxLength: 2 })),
    places: fc.array(fc.nat(10), { maxLength: 5 }),
    spaces,
  })
  .map(({ fields, others, repeated, places, spaces }) => {
    const members: [string, string][] = [...Object.entries(fields), ...others, ...repeated]
    for (const [index, place] of places.entries()) members.splice(place, 0, ...members.splice(index, 1))
    return objectText(members, spaces)
  })

const points = fc
  .tuple(fc.array(mostly(point, fc.constantFrom('null', '{}', '[]', '1', '')), { maxLength: MAX_POINTS + 1 }), space)
  .map(([texts, gap]) => `[${gap}${texts.join(`${gap},${gap}`)}${gap}]`)

const part = mostly(
  fc.constantFrom('{}', '{"title":"Sortie \\ud83d\\ude00"}', '{"a":[{"b":{}}],"c":"]}"}', 'null'),
  fc.constantFrom('{"a":"\\ud800"}', '[]', '1', '{"}"}', '{]', '{"a":1,}'),
)
const body = fc
  .record({
    points: mostly(points, anything),
    track: part,
    stats: part,
    other: anything,
    order: mostly(
      fc.constantFrom<string[]>(['points'], ['track', 'points', 'stats'], ['other', 'points', 'track']),
      fc.shuffledSubarray<string>(['points', 'track', 'stats', 'points', 'track', 'stats']),
    ),
    spaces,
  })
  .map(({ order, spaces, ...values }) => {
    const members = order.map((key): [string, string] => [key, values[key as keyof typeof values]])
    return spaces[0] + objectText(members, spaces) + spaces[spaces.length - 1]
  })

describe('scanBody', () => {
  test('reads points in every usual layout', () => {
    const compact = `{"points":[${POINT},${POINT}]}`
    const value = JSON.parse(compact)

    for (const text of [
      compact,
      JSON.stringify(value, null, 2),
      compact.replaceAll(/[:,](?=["{])/g, '$& '),
      `\n${compact} \n`,
    ]) {
      assert.equal(scan(text)?.points.count, 2)
    }
  })

  test('reads every field in any order, and skips unknown ones', () => {
    const scanned = scan(
      '{"points":[{"origin":"native","altitude_reference":"ellipsoid","altitude_references":1,"id":"a7","battery":0.5,"heading":360,"is_moving":true,"speed_mps":-1,"accuracy":4.5,' +
        '"altitude":-0.0,"timestamp":"2026-11-21T12:00:00.25+02:00","longitude":-180,"latitude":90,"floor":null}]}',
    )

    assert.deepEqual(scanned?.points, {
      count: 1,
      timeMs: Float64Array.of(Date.UTC(2026, 10, 21, 10, 0, 0, 250)),
      latitude: Float64Array.of(90),
      longitude: Float64Array.of(-180),
      altitude: Float64Array.of(-0),
      accuracy: Float64Array.of(4.5),
      speedMps: Float64Array.of(-1),
      heading: Float64Array.of(360),
      battery: Float64Array.of(0.5),
      origin: Uint8Array.of(3),
      altitudeReference: Uint8Array.of(2),
    })
  })

  test('reads any field as the last one', () => {
    for (const field of [
      '"altitude":0',
      '"heading":0',
      '"battery":1',
      '"origin":"native"',
      '"origin":null',
      '"altitude_reference":"sea_level"',
      '"x":1',
    ]) {
      assert.equal(scan(`{"points":[${POINT.replace('}', `,${field}}`)}]}`)?.points.count, 1)
    }
  })

  test('does not carry values of one body over to the next', () => {
    const full = POINT.replace(
      '}',
      ',"altitude":1,"accuracy":1,"speed_mps":1,"heading":1,"battery":1,"origin":"native"}',
    )
    scan(`{"points":[${full}]}`)

    const scanned = scan(`{"points":[${POINT}]}`)

    assert.deepEqual(scanned?.points, parseBody(Buffer.from(`{"points":[${POINT}]}`), 1).points)
  })

  test('reads more points than the initial capacity of the columns', () => {
    const body = Buffer.from(`{"points":[${Array(5000).fill(POINT).join()}]}`)

    assert.equal(scanBody(body, 5000)?.points.count, 5000)
    assert.deepEqual(scanBody(body, 5000)?.points, parseBody(body, 5000).points)
    assert.equal(scanBody(body, 4999), undefined)
  })

  test('parses track and stats in any order with the points', () => {
    const scanned = scan(`{"stats":null,"points":[],"track":{"title":"a\\"]}b","more":[{"x":1}]},"app":"1.2"}`)

    assert.deepEqual([scanned?.track, scanned?.stats], [{ title: 'a"]}b', more: [{ x: 1 }] }, null])
    assert.deepEqual([scan('{"points":[]}')?.track, scan('{"points":[]}')?.stats], [undefined, undefined])
  })

  test('accepts nothing that the parser refuses, and reads the rest like it', () => {
    fc.assert(
      fc.property(body, (text) => assertParsedAlike(Buffer.from(text))),
      { numRuns: 3000 },
    )
  })

  test('accepts nothing that the parser refuses in bodies with changed bytes', () => {
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat(2),
      insert: fc.oneof(
        fc.constantFrom('', '"', '}', ']', ',', ':', '0', '.', 'e', '-', '\\', ' ', '{', '['),
        fc.uint8Array({ maxLength: 2 }),
      ),
    })
    fc.assert(
      fc.property(body, fc.array(change, { minLength: 1, maxLength: 2 }), (text, changes) => {
        let bytes = Buffer.from(text)
        for (const { at, remove, insert } of changes) {
          const place = at % (bytes.length + 1)
          bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(insert), bytes.subarray(place + remove)])
        }

        assertParsedAlike(bytes)
      }),
      { numRuns: 3000 },
    )
  })

  test('gives up on every truncated body', () => {
    const text = `{"track":{"a":1},"points":[${POINT.replace('}', ',"origin":"native","x":"y"}')}],"stats":null}`
    for (let length = 0; length < text.length; length++) assert.equal(scan(text.slice(0, length)), undefined)
  })

  test('gives up where it could exceed a limit of the parser', () => {
    const deep = `{"a":${'['.repeat(63)}${']'.repeat(63)}}`
    const wide = POINT.replace('}', `${',"x":1'.repeat(50)}}`)

    assert.equal(scan(`{"track":${deep},"points":[]}`), undefined)
    assert.equal(scan(`{"track":{"a":"${'x'.repeat(100_000)}"},"points":[]}`), undefined)
    assert.equal(scan(`{"points":[${wide}]}`), undefined)
    assert.equal(scan(`{"points":[],${'"x":1,'.repeat(50)}"y":1}`), undefined)
  })
})
