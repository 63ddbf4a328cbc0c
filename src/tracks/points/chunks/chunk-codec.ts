import { crc32 } from 'node:zlib'
import {
  allocateColumns,
  concatColumns,
  firstIndexAfter,
  firstIndexAtOrAfter,
  type PointColumns,
  sliceColumns,
} from '../point-columns.ts'
import { type ChoiceField, VALUE_FIELDS } from '../point-fields.ts'
import { ChunkDamagedError, ChunkReader, scratchWriter } from './bytes.ts'
import { readColumn, writeColumn } from './column.ts'
import { UNIT_ONE, UNIT_THOUSAND } from './series.ts'

// A chunk: version, count, firstMs, span, times, a column for each other field (point-fields.ts), CRC-32 of all before.
// Every column states its own coding, so chunks written fast and chunks written small are read the same way.

/**
 * The first byte of each chunk. A change that a reader of this version would misread needs another, and so does a new
 * field. A chunk is written in the lowest version that has all its fields, which earlier releases can also read.
 */
const LATEST_VERSION = Math.max(...VALUE_FIELDS.map(({ chunkVersion }) => chunkVersion))
const FIRST_VERSION = 1
const ADDED_FIELDS = VALUE_FIELDS.filter(({ chunkVersion }) => chunkVersion > FIRST_VERSION)
/**
 * Bounds the memory that a wrong count can make a reader allocate, to 68 MB. Chunks are far smaller, except when a
 * whole track claims to be of one millisecond and so cannot be split.
 */
const MAX_ENCODABLE_POINTS = 2 ** 20
/** Points of a full chunk: a little over two hours at one per second; a merged one has about 35 kB. */
export const MAX_CHUNK_POINTS = 8192

/** Part of a full chunk that is not cut off: a late point in a full chunk would leave a piece of one point. */
const LEAST_PIECE = 1 / 8

/** Times beyond this (years -140,743 to 144,683) have differences that a double does not hold. */
export const MAX_CHUNK_TIME_MS = 2 ** 52
/** Bytes of the checksum at the end of each chunk. */
export const CRC_LENGTH = 4

/** The data of a chunk that precedes its points. */
type ChunkHeader = {
  readonly version: number
  readonly count: number
  /** The earliest time. */
  readonly firstMs: number
  /** The latest time. */
  readonly lastMs: number
}

/**
 * Codes points so that decodeChunk returns the same ones in the same order, to the last bit of every number. Only NaN,
 * which means an absent value, loses its payload bits.
 *
 * @param points 1 to MAX_ENCODABLE_POINTS, in any order (sorted ones become smaller)
 * @param effort 'fast' while a request waits, 'small' in the background: it tries more codings and is a little smaller
 * @throws RangeError for another number of points, or times that are not whole numbers within MAX_CHUNK_TIME_MS
 */
export function encodeChunk(points: PointColumns, effort: 'fast' | 'small'): Uint8Array {
  const { count, timeMs } = points
  if (count < 1 || count > MAX_ENCODABLE_POINTS) throw new RangeError(`A chunk cannot hold ${count} points`)
  const { firstMs, lastMs } = timeRange(timeMs)
  const compress = effort === 'small'
  const writer = scratchWriter()
  const version = versionFor(points)
  writer.byte(version)
  writer.varint(count)
  writer.signedVarint(firstMs)
  writer.varint(lastMs - firstMs)
  writeColumn(writer, timeMs, { origin: firstMs, firstUnit: UNIT_THOUSAND, compress })
  for (const { column, chunkVersion } of VALUE_FIELDS) {
    if (chunkVersion <= version) writeColumn(writer, points[column], { origin: 0, firstUnit: UNIT_ONE, compress })
  }
  writer.uint32(crc32(writer.bytes.subarray(0, writer.at)))
  return writer.take()
}

/**
 * Returns the points given to encodeChunk.
 *
 * @throws ChunkDamagedError when the bytes are not a complete, undamaged chunk; never anything else
 */
export function decodeChunk(bytes: Uint8Array): PointColumns {
  const reader = openChunk(bytes)
  const { version, count, firstMs } = readHeader(reader)
  const points = allocateColumns(count)
  readColumn(reader, points.timeMs)
  for (let i = 0; i < count; i++) points.timeMs[i] += firstMs
  for (const field of VALUE_FIELDS) {
    if (field.kind === 'choice') readChoices(reader, points[field.column], version, field)
    else if (field.chunkVersion <= version) readColumn(reader, points[field.column])
    else points[field.column].fill(Number.NaN)
  }
  if (reader.at !== reader.end) throw new ChunkDamagedError('it is longer than its columns')
  return points
}

/** Returns only the times of the points given to encodeChunk, in their order; throws like decodeChunk. */
export function decodeChunkTimes(bytes: Uint8Array): Float64Array {
  const reader = openChunk(bytes)
  const { count, firstMs } = readHeader(reader)
  const timeMs = new Float64Array(count)
  readColumn(reader, timeMs)
  for (let i = 0; i < count; i++) timeMs[i] += firstMs
  return timeMs
}

/** Returns only the positions of the points given to encodeChunk, in their order; throws like decodeChunk. */
export function decodeChunkPositions(bytes: Uint8Array) {
  const reader = openChunk(bytes)
  const { count } = readHeader(reader)
  const [, latitude, longitude] = Array.from({ length: 3 }, () => {
    const column = new Float64Array(count)
    readColumn(reader, column)
    return column
  })
  return { latitude, longitude }
}

/** Reads only the data before the points, after checking the whole chunk; throws like decodeChunk. */
export function readChunkHeader(bytes: Uint8Array): ChunkHeader {
  return readHeader(openChunk(bytes))
}

function openChunk(bytes: Uint8Array): ChunkReader {
  const end = bytes.length - CRC_LENGTH
  if (end < 1) throw new ChunkDamagedError('it is too short')
  if (bytes[0] < FIRST_VERSION || bytes[0] > LATEST_VERSION)
    throw new ChunkDamagedError(`version ${bytes[0]} is unknown`)
  const expected = new ChunkReader(bytes, end, bytes.length).uint32()
  if (crc32(bytes.subarray(0, end)) !== expected) throw new ChunkDamagedError('its checksum does not match')
  return new ChunkReader(bytes, 0, end)
}

function readHeader(reader: ChunkReader): ChunkHeader {
  const version = reader.byte()
  const count = reader.count(MAX_ENCODABLE_POINTS)
  if (count === 0) throw new ChunkDamagedError('it holds no points')
  const firstMs = reader.signedVarint()
  return { version, count, firstMs, lastMs: firstMs + reader.varint() }
}

/** Fills `column`, which is all zero, when the chunk has the field. */
function readChoices(reader: ChunkReader, column: Uint8Array, version: number, field: ChoiceField): void {
  if (field.chunkVersion > version) return
  const places = new Float64Array(column.length)
  readColumn(reader, places)
  for (let i = 0; i < places.length; i++) {
    const isKnown = places[i] === 0 || field.choices[places[i] - 1] !== undefined
    if (!isKnown) throw new ChunkDamagedError(`a value of ${field.key} is unknown`)
    column[i] = places[i]
  }
}

function versionFor(points: PointColumns): number {
  let version = FIRST_VERSION
  for (const { kind, column, chunkVersion } of ADDED_FIELDS) {
    const absent = kind === 'choice' ? 0 : Number.NaN
    if (chunkVersion > version && !isFilledWith(absent, points[column])) version = chunkVersion
  }
  return version
}

function isFilledWith(value: number, column: Float64Array | Uint8Array): boolean {
  for (let i = 0; i < column.length; i++) if (!Object.is(column[i], value)) return false
  return true
}

function timeRange(timeMs: Float64Array): { firstMs: number; lastMs: number } {
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  for (const time of timeMs) {
    if (!Number.isInteger(time) || Math.abs(time) > MAX_CHUNK_TIME_MS) throw new RangeError(`Not a time: ${time}`)
    if (time < firstMs) firstMs = time
    if (time > lastMs) lastMs = time
  }
  return { firstMs, lastMs }
}

/**
 * Cuts points into chunks of `targetCount`. The last one has up to an eighth more, so that none is a small piece of a
 * full one. Points of one time stay together, and make a larger chunk if they are more.
 */
export function splitIntoChunks(points: PointColumns, targetCount: number): PointColumns[] {
  const chunks: PointColumns[] = []
  for (let start = 0; start < points.count; ) {
    const end = cutAfter(points, start, targetCount)
    chunks.push(start === 0 && end === points.count ? points : sliceColumns(points, start, end))
    start = end
  }
  return chunks
}

function cutAfter(points: PointColumns, start: number, targetCount: number): number {
  const cut = start + targetCount
  if (cut + Math.floor(targetCount * LEAST_PIECE) >= points.count) return points.count
  const groupStart = firstIndexAtOrAfter(points, points.timeMs[cut])
  return groupStart > start ? groupStart : firstIndexAfter(points, points.timeMs[cut])
}

/** A chunk with the data for its row. */
export type EncodedChunk = { firstMs: number; lastMs: number; count: number; bytes: Uint8Array }

/** Cuts points in canonical order into chunks and encodes them. */
export function encodeParts(points: PointColumns, effort: 'fast' | 'small'): EncodedChunk[] {
  return splitIntoChunks(points, MAX_CHUNK_POINTS).map((part) => ({
    firstMs: part.timeMs[0],
    lastMs: part.timeMs[part.count - 1],
    count: part.count,
    bytes: encodeChunk(part, effort),
  }))
}

/**
 * Merges many small chunks that follow each other in time into a few large ones, coded as small as possible.
 * @throws ChunkDamagedError
 */
export function mergeChunks(chunks: readonly Uint8Array[]): EncodedChunk[] {
  return encodeParts(concatColumns(chunks.map(decodeChunk)), 'small')
}

/** The end of a track as it is stored: the chunks with its points later than a time, up to another. */
export type StoredTail = { chunks: Uint8Array[]; afterMs: number; untilMs?: number | undefined }

/** Returns the points at the end of a track. @throws ChunkDamagedError */
export function decodeTail({ chunks, afterMs, untilMs = Number.POSITIVE_INFINITY }: StoredTail): PointColumns {
  const points = concatColumns(chunks.map(decodeChunk))
  return sliceColumns(points, firstIndexAfter(points, afterMs), firstIndexAfter(points, untilMs))
}
