import { readFileSync, writeFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'

// Writes src/tracks/points/geoid.json from WW15MGH.DAC, the geoid of EGM96 on a grid of 15 minutes, which the National
// Geospatial-Intelligence Agency of the United States publishes without restrictions:
// node scripts/write-geoid.ts <WW15MGH.DAC>

/** The file has big-endian centimetres, from the north pole south and from Greenwich east. */
const FILE_COLUMNS = 1440
const FILE_ROWS = 721
/** Every second value of the file: a quarter of the size, 0.12 m of difference on average, 2.4 m at most, on Hawaii. */
const STEP = 2
const UNIT_METERS = 0.1

const file = readFileSync(process.argv[2])
if (file.length !== FILE_COLUMNS * FILE_ROWS * 2) throw new Error('This is not WW15MGH.DAC.')

const columns = FILE_COLUMNS / STEP
const rows = (FILE_ROWS - 1) / STEP + 1
const heights = Array.from({ length: columns * rows }, (_, i) => {
  const at = Math.floor(i / columns) * STEP * FILE_COLUMNS + (i % columns) * STEP
  return Math.round(file.readInt16BE(at * 2) / 100 / UNIT_METERS)
})

// Differences to the value before, whose differences to the row above are small: they compress to a fifth.
const differences = new DataView(new ArrayBuffer(heights.length * 2))
for (let i = 0; i < heights.length; i++) {
  const above = i >= columns ? heights[i - columns] : 0
  const [before, aboveBefore] =
    i % columns === 0 ? [0, 0] : [heights[i - 1], i > columns ? heights[i - columns - 1] : 0]
  const difference = heights[i] - before - above + aboveBefore
  // Low bytes first, then high bytes: the latter are nearly all alike.
  differences.setUint8(i, difference & 0xff)
  differences.setUint8(heights.length + i, (difference >> 8) & 0xff)
}
const deflated = deflateRawSync(new Uint8Array(differences.buffer), { level: 9 }).toString('base64')
const geoid = { columns, rows, unit_meters: UNIT_METERS, deflated }
writeFileSync(new URL('../src/tracks/points/geoid.json', import.meta.url), `${JSON.stringify(geoid, null, 2)}\n`)
