import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  gpxOf,
  gpxTrack,
  makeFit,
  makeGeojson,
  makeGpxRecording,
  makeKml,
  makeTcx,
  walkEast,
} from '../../../test/support/make-recordings.ts'
import { readImportedFile } from './import-worker.ts'

const bytesOf = (file: string | Uint8Array) => (typeof file === 'string' ? new TextEncoder().encode(file) : file)

async function read(file: string | Uint8Array) {
  return await readImportedFile({ bytes: bytesOf(file), format: undefined })
}

async function refusal(file: string | Uint8Array): Promise<string> {
  const outcome = await read(file)
  return 'refusal' in outcome ? outcome.refusal : 'was accepted'
}

const fit = makeFit([{ points: walkEast(20) }])
const gpx = makeGpxRecording()

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy[at] = value
  return copy
}

/** A file whose definition has no fields, so that each byte after it is a message. */
function fitOfEmptyMessages(count: number): Uint8Array {
  const head = fit.subarray(0, 14)
  const data = Buffer.concat([Buffer.from([0x40, 0, 0, 20, 0, 0]), Buffer.alloc(count)])
  const file = Buffer.concat([head, data, Buffer.alloc(2)])
  file.writeUInt32LE(data.length, 4)
  return file
}

const BILLION_LAUGHS = `<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><gpx><trk><name>&b;</name></trk></gpx>`

const refused: Record<string, [string | Uint8Array, RegExp]> = {
  'an empty file': ['', /^is empty$/],
  'something else': ['hello', /neither GPX, TCX, FIT, KML nor GeoJSON/],
  'a web page': ['<html><body>gpx</body></html>', /neither GPX/],
  'a ZIP archive, such as KMZ': [Buffer.from('504b030414000000', 'hex'), /ZIP archive/],
  'an entity bomb': [BILLION_LAUGHS, /document type/],
  'an external entity': ['<!DOCTYPE gpx SYSTEM "file:///etc/passwd"><gpx/>', /document type/],
  'an undefined entity': [gpxOf('<trk><name>&bomb;</name></trk>'), /not well-formed XML: .*undefined entity/],
  'deep nesting': [gpxOf('<a>'.repeat(100_000)), /nested deeper than 64/],
  'very many elements': [gpxOf('<a/>'.repeat(5_000_001)), /more than 5,000,000 elements/],
  'very many attributes': [
    gpxOf(`<trk ${Array.from({ length: 300 }, (_, i) => `a${i}=""`).join(' ')}/>`),
    /256 attributes/,
  ],
  'a GPX file that is cut short': [gpx.slice(0, -60), /not well-formed XML/],
  'a GPX file with a stray sign': [gpx.replace('<ele>', '<ele <'), /not well-formed XML/],
  'a route without a recording': [gpxOf('<rte><rtept lat="1" lon="1"/></rte>'), /no recorded track/],
  'a track without times': [gpxOf('<trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>'), /1 points have none/],
  'text in an encoding that nobody knows': [gpx.replace('UTF-8', 'klingon'), /unknown encoding, klingon/],
  'text that is not in the encoding that it states': [
    Buffer.from(gpxOf(gpxTrack({ name: 'é' })), 'latin1'),
    /not text in utf-8/,
  ],
  'KML with more times than positions': [
    makeKml().replace(/<gx:coord>[^<]*<\/gx:coord>/, ''),
    /3 times and 2 positions/,
  ],
  'GeoJSON that is nested deeply': [`{"type":"Feature","a":${'['.repeat(100)}`, /nested deeper than 64/],
  'GeoJSON that is cut short': ['{"type":"FeatureCollection","features":[', /not valid JSON: it ends too early/],
  'GeoJSON without times': [
    '{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}',
    /2 points have none/,
  ],
  'FIT with a wrong CRC': [changed(fit, 40, fit[40] ^ 0xff), /damaged: its CRC is wrong/],
  'FIT that is cut short': [fit.subarray(0, -10), /cut short: its header announces \d+ bytes/],
  'FIT with other bytes at its end': [Buffer.concat([fit, Buffer.from('more')]), /other bytes after its end/],
  'FIT with a header of a wrong size': [changed(fit, 0, 2), /header of a wrong size/],
  'FIT with more messages than points': [fitOfEmptyMessages(2_000_001), /more than 2,000,000 messages/],
  'a FIT course': [makeFit(undefined, 6), /course/],
  'a gzip file that is cut short': [gzipSync(gpx).subarray(0, 100), /damaged gzip file, or cut short/],
  'a gzip bomb': [gzipSync(Buffer.alloc(65 * 1_048_576)), /more than 40 times as large when it is unpacked/],
}

describe('a hostile or broken file', () => {
  for (const [name, [file, expected]] of Object.entries(refused)) {
    test(`is refused with its reason: ${name}`, async () => {
      assert.match(await refusal(file), expected)
    })
  }

  test('is refused at every length to which a FIT file can be cut', async () => {
    for (let length = 1; length < fit.length; length++) {
      assert.notEqual(await refusal(fit.subarray(0, length)), 'was accepted', `${length} bytes`)
    }
  })

  test('is refused wherever one byte of a FIT file is overwritten', async () => {
    for (let at = 0; at < fit.length; at++) {
      assert.notEqual(await refusal(changed(fit, at, fit[at] ^ 0x55)), 'was accepted', `byte ${at}`)
    }
  })

  test('with more points of one time than are stored together is refused', async () => {
    const points = new Array(50_001).fill(walkEast(1)[0])

    assert.match(await refusal(makeGpxRecording({ points })), /more than 50,000 points of the same time/)
  })
})

describe('numbers of a file', () => {
  const [{ latitude }] = walkEast()
  const files = { GPX: gpx, TCX: makeTcx(), KML: makeKml(), GeoJSON: makeGeojson() }

  for (const [format, file] of Object.entries(files)) {
    for (const written of ['0x2d', '0b101', '0o17', 'Infinity']) {
      test(`are decimal in ${format}: a point at ${written} is left out`, async () => {
        const value = format === 'GeoJSON' ? `"${written}"` : written
        const outcome = await read(file.replace(String(latitude), value))

        assert.ok('tracks' in outcome, JSON.stringify(outcome))
        assert.deepEqual(
          outcome.tracks.map(({ pointsCount, leftOutCount }) => [pointsCount, leftOutCount]),
          [[2, 1]],
        )
      })
    }
  }
})

describe('an unusual file that is in order', () => {
  const named = gpxOf(gpxTrack({ name: 'Forêt à l’aube' }))

  const accepted: Record<string, Uint8Array> = {
    'UTF-8 with a byte order mark': Buffer.from(`\ufeff${named}`),
    'UTF-16 with a byte order mark': Buffer.from(`\ufeff${named.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    'UTF-16 without a byte order mark': Buffer.from(named.replace('UTF-8', 'UTF-16'), 'utf16le'),
    'big-endian UTF-16': Buffer.from(`\ufeff${named.replace('UTF-8', 'UTF-16')}`, 'utf16le').swap16(),
    'UTF-8 that still says UTF-16': Buffer.from(named.replace('UTF-8', 'UTF-16')),
    "spaces before the declaration, as in Strava's archive": Buffer.from(`          ${named}`),
    'a byte order mark and a line break before the declaration': Buffer.from(`\ufeff\n${named}`),
  }
  for (const [name, bytes] of Object.entries(accepted)) {
    test(`is read: ${name}`, async () => {
      const file = await read(bytes)

      assert.ok('tracks' in file, JSON.stringify(file))
      assert.deepEqual([file.tracks[0].title, file.tracks[0].pointsCount], ['Forêt à l’aube', 3])
    })
  }

  test('is read: ISO-8859-1', async () => {
    const latin1 = Buffer.from(gpxOf(gpxTrack({ name: 'Forêt' })).replace('UTF-8', 'ISO-8859-1'), 'latin1')

    const file = await read(latin1)

    assert.ok('tracks' in file)
    assert.equal(file.tracks[0].title, 'Forêt')
  })

  test('is read: a huge attribute and a huge text beside the points', async () => {
    const long = 'x'.repeat(4_000_000)

    const file = await read(gpxOf(`<a b="${long}">${long}</a>`, gpxTrack({ name: 'Around the lake' })))

    assert.ok('tracks' in file)
    assert.equal(file.tracks[0].title, 'Around the lake')
  })

  test('is read: two FIT files in a row', async () => {
    const file = await read(Buffer.concat([fit, makeFit()]))

    assert.ok('tracks' in file)
    assert.deepEqual(
      file.tracks.map(({ pointsCount }) => pointsCount),
      [20, 3],
    )
  })
})
