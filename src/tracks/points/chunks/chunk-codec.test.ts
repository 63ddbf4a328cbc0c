import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { anyPoints } from '../../../../test/support/point-set-arbitraries.ts'
import { emptyColumns, type PointColumns } from '../point-columns.ts'
import { ChunkDamagedError } from './bytes.ts'
import { decodeChunk, decodeChunkPositions, encodeChunk, MAX_CHUNK_TIME_MS, readChunkHeader } from './chunk-codec.ts'

const EFFORTS = ['fast', 'small'] as const
const effort = fc.constantFrom(...EFFORTS)

describe('encodeChunk and decodeChunk', () => {
  for (const each of EFFORTS) {
    test(`return the same bits for any points, ${each}`, () => {
      fc.assert(
        fc.property(anyPoints, (points) => {
          const chunk = encodeChunk(points, each)

          assert.deepEqual(decodeChunk(chunk), points)
          const { latitude, longitude } = points
          assert.deepEqual(decodeChunkPositions(chunk), { latitude, longitude })
        }),
      )
    })

    test(`return thousands of points whose columns are noise, steps and repetitions, ${each}`, () => {
      const points = ramble(5000)

      const decoded = decodeChunk(encodeChunk(points, each))

      assert.deepEqual(decoded, points)
    })

    test(`return infinities, ${each}`, () => {
      const points = emptyColumns(3)
      points.altitude.set([1, Number.POSITIVE_INFINITY, 2])
      points.accuracy.set([1, Number.NEGATIVE_INFINITY, 2])
      points.heading.fill(Number.POSITIVE_INFINITY)

      const decoded = decodeChunk(encodeChunk(points, each))

      assert.deepEqual(decoded, points)
    })
  }

  test('take next to no bytes for columns that are constant or absent', () => {
    const points = emptyColumns(8000)
    points.timeMs.forEach((_, i) => {
      points.timeMs[i] = 1_700_000_000_000 + 1000 * i
    })
    points.latitude.fill(48.8583701)
    points.longitude.fill(2.2944813)
    points.heading.fill(271.5, 0, 4000)

    const bytes = encodeChunk(points, 'fast')

    assert.ok(bytes.length < 128, `${bytes.length} bytes`)
  })

  test('take at most 6 bytes per point of a recorded ride, and 3 without optional fields', () => {
    const ride = recordedRide(8000)
    const bare = { ...emptyColumns(8000), timeMs: ride.timeMs, latitude: ride.latitude, longitude: ride.longitude }

    const perPoint = [ride, bare].map((points) => encodeChunk(points, 'small').length / points.count)

    assert.ok(perPoint[0] <= 6, `${perPoint[0]} bytes with all fields`)
    assert.ok(perPoint[1] <= 3, `${perPoint[1]} bytes without`)
  })

  test('take under 4 bytes for each number of a position of 17 digits', () => {
    const random = randomNumbers()
    const points = emptyColumns(3000)
    for (let i = 0; i < points.count; i++) {
      points.latitude[i] = 48.85 + 0.01 * Math.sin(i / 500) + 1e-6 * random()
      points.longitude[i] = 11.5 + 0.01 * Math.cos(i / 400) + 1e-6 * random()
    }

    const perPoint = encodeChunk(points, 'fast').length / points.count

    assert.ok(perPoint < 8, `${perPoint} bytes`)
  })

  test('refuse zero points, and times that are not whole or out of range', () => {
    const at = (timeMs: number) => {
      const points = emptyColumns(1)
      points.timeMs[0] = timeMs
      return points
    }

    assert.throws(() => encodeChunk(emptyColumns(0), 'fast'), RangeError)
    for (const timeMs of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 * MAX_CHUNK_TIME_MS]) {
      assert.throws(() => encodeChunk(at(timeMs), 'fast'), RangeError)
    }
  })
})

describe('readChunkHeader', () => {
  test('returns the number of points and their range of time, whatever their order', () => {
    const points = emptyColumns(3)
    points.timeMs.set([5000, -1, 7001])

    const header = readChunkHeader(encodeChunk(points, 'fast'))

    assert.deepEqual(header, { version: 1, count: 3, firstMs: -1, lastMs: 7001 })
  })
})

describe('decodeChunk of damaged bytes', () => {
  test('refuses a chunk with any byte changed', () => {
    fc.assert(
      fc.property(anyPoints, effort, fc.nat(), fc.integer({ min: 1, max: 255 }), (points, each, at, flipped) => {
        const bytes = encodeChunk(points, each)
        bytes[at % bytes.length] ^= flipped

        assert.throws(() => decodeChunk(bytes), ChunkDamagedError)
        assert.throws(() => readChunkHeader(bytes), ChunkDamagedError)
      }),
    )
  })

  test('refuses a chunk that is cut off anywhere, or followed by more bytes', () => {
    fc.assert(
      fc.property(anyPoints, effort, fc.nat(), (points, each, at) => {
        const bytes = encodeChunk(points, each)

        assert.throws(() => decodeChunk(bytes.subarray(0, at % bytes.length)), ChunkDamagedError)
        assert.throws(() => decodeChunk(Buffer.concat([bytes, bytes])), ChunkDamagedError)
      }),
    )
  })

  test('refuses a chunk that is longer than its columns', () => {
    const bytes = encodeChunk(emptyColumns(1), 'fast')
    const longer = seal(Buffer.concat([bytes.subarray(0, -4), Buffer.alloc(5)]))

    assert.throws(() => decodeChunk(longer), { name: 'ChunkDamagedError', reason: 'it is longer than its columns' })
  })

  test('refuses bytes that are not a chunk', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        assert.throws(() => decodeChunk(bytes), ChunkDamagedError)
      }),
    )
  })

  test('refuses an unknown version and names it', () => {
    const bytes = encodeChunk(emptyColumns(1), 'fast')
    bytes[0] = 255

    assert.throws(() => decodeChunk(bytes), { name: 'ChunkDamagedError', reason: 'version 255 is unknown' })
  })

  test('throws nothing but ChunkDamagedError even when the checksum matches the damage', () => {
    fc.assert(
      fc.property(
        anyPoints,
        effort,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }),
        (points, each, changes) => {
          const bytes = encodeChunk(points, each)
          for (const [at, value] of changes) bytes[1 + (at % (bytes.length - 5))] = value
          seal(bytes)

          try {
            decodeChunk(bytes)
          } catch (error) {
            assert.ok(error instanceof ChunkDamagedError, String(error))
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('refuses an impossible number of points before allocating memory for them', () => {
    const bytes = seal(Uint8Array.from([1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0, 0]))

    assert.throws(() => decodeChunk(bytes), { name: 'ChunkDamagedError', reason: /^it claims 4294967295/ })
  })
})

/** Corrects the checksum. */
function seal(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)), true)
  return bytes
}

/** Returns the same numbers in each run, from 0 to 1 (a linear congruential generator, Numerical Recipes). */
function randomNumbers(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function ramble(count: number): PointColumns {
  const random = randomNumbers()
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    points.timeMs[i] = 1_700_000_000_000 + 1000 * i + (i % 7 === 0 ? 1 : 0)
    points.latitude[i] = random() * 180 - 90
    points.longitude[i] = (i % 10) * 1e-7
    points.altitude[i] = i % 1000 === 999 ? 1e15 : Math.round(random() * 100)
    points.accuracy[i] = i % 2 === 0 ? Number.NaN : Math.fround(random())
    points.speedMps[i] = Math.round(random() * 1e12) / 1e6
    points.heading[i] = i % 500 < 100 ? Number.NaN : (i * 0.1) % 360
    points.battery[i] = 0.1 + 0.2 * Math.floor(i / 1000)
    points.origin[i] = Math.floor(i / 300) % 4
  }
  return points
}

/** A ride at one point a second, with the noise that recorded ones have: 0.2 m in position, 0.3 m in altitude. */
function recordedRide(count: number): PointColumns {
  const random = randomNumbers()
  const noise = (size: number) => size * (random() + random() + random() - 1.5)
  const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals
  const points = emptyColumns(count)
  for (let i = 0; i < count; i++) {
    points.timeMs[i] = 1_700_000_000_000 + 1000 * i
    points.latitude[i] = rounded(48.85 + 0.01 * Math.sin(i / 500) + noise(2e-6), 7)
    points.longitude[i] = rounded(2.29 + 0.01 * Math.cos(i / 400) + noise(3e-6), 7)
    points.altitude[i] = rounded(80 + 40 * Math.sin(i / 900) + noise(0.3), 1)
    points.accuracy[i] = rounded(5 + 2 * Math.sin(i / 70) + noise(0.4), 1)
    points.speedMps[i] = rounded(6 + 2 * Math.sin(i / 200) + noise(0.2), 2)
    points.heading[i] = rounded(180 + 170 * Math.sin(i / 450) + noise(4), 1)
    points.battery[i] = rounded(0.95 - i / 20_000, 2)
    points.origin[i] = i % 2000 < 1500 ? 1 : 2
  }
  return points
}
