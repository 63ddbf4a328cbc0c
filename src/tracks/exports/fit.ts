import type { Pause } from '../model/track-state.ts'
import { type ExportedTrack, type PointSlice, pointSlices } from './exported-track.ts'
import {
  ACTIVITY,
  ACTIVITY_MANUAL,
  EVENT,
  EVENT_ACTIVITY,
  EVENT_LAP,
  EVENT_SESSION,
  EVENT_TIMER,
  EVENT_TYPE_START,
  EVENT_TYPE_STOP,
  EVENT_TYPE_STOP_ALL,
  FILE_ACTIVITY,
  FILE_ID,
  FIT_EPOCH_MS,
  type FitMessage,
  LAP,
  LAP_TRIGGER_SESSION_END,
  MANUFACTURER_DEVELOPMENT,
  RECORD,
  SESSION,
  SESSION_TRIGGER_ACTIVITY_END,
  SPORTS,
} from './fit-profile.ts'

/** The header of a file: size, protocol 1.0, profile 21.32, length of the data, `.FIT`, CRC of the bytes before it. */
const HEADER_BYTES = 14
const PROTOCOL_VERSION = 0x10
const PROFILE_VERSION = 2132

/** Local numbers of the two messages that alternate. All others are written once, with the third. */
const LOCAL_RECORD = 0
const LOCAL_EVENT = 1
const LOCAL_OTHER = 2

/** A start or stop of the timer. */
type TimerEvent = { timeMs: number; eventType: number }

/**
 * Writes a track with points as a FIT activity, in pieces: one session with one lap, and the pauses as stops of the
 * timer. FIT holds whole seconds, positions to about a centimeter, altitudes to 0.2 m, speeds to 1 mm/s and
 * accuracies in whole meters. What its types cannot hold is absent. The header states the length of the file, so
 * points that arrive meanwhile are left out.
 */
export async function* writeFit(track: ExportedTrack): AsyncGenerator<Uint8Array> {
  const slices = pointSlices(track.pages)
  const first = await slices.next()
  if (first.done) throw new Error(`track ${track.id} has no points`)
  const firstMs = first.value.timeMs[first.value.from]
  const events = pauseEvents(track.pauses, firstMs, track.lastPointMs ?? firstMs)
  const records = new RecordWriter(events, track.pointCount)
  const head = openingMessages(track, firstMs)
  let crc = 0
  const counted = (bytes: Uint8Array) => {
    crc = fitCrc(bytes, crc)
    return bytes
  }
  yield counted(header(head.length + records.byteLength + summaryLength()))
  yield counted(head)
  yield counted(records.write(first.value))
  for await (const points of slices) yield counted(records.write(points))
  yield counted(records.rest())
  yield counted(summary(track, firstMs, records.lastMs))
  yield Uint8Array.of(crc & 0xff, crc >> 8)
}

function header(dataBytes: number): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt8(HEADER_BYTES, 0)
  bytes.writeUInt8(PROTOCOL_VERSION, 1)
  bytes.writeUInt16LE(PROFILE_VERSION, 2)
  bytes.writeUInt32LE(dataBytes, 4)
  bytes.write('.FIT', 8, 'latin1')
  bytes.writeUInt16LE(fitCrc(bytes.subarray(0, 12)), 12)
  return bytes
}

/** The file's identity, and the start of the timer. The definitions of points and events hold for the whole file. */
function openingMessages({ id }: ExportedTrack, firstMs: number): Uint8Array {
  const fileId = message(FILE_ID, LOCAL_OTHER, {
    type: FILE_ACTIVITY,
    manufacturer: MANUFACTURER_DEVELOPMENT,
    product: 0,
    // Programs take files with the same number and time for the same recording.
    serialNumber: Number.parseInt(id.slice(0, 8), 16),
    timeCreated: fitTime(firstMs),
  })
  const start = message(EVENT, LOCAL_EVENT, { ...timerEvent({ timeMs: firstMs, eventType: EVENT_TYPE_START }) })
  return Buffer.concat([
    FILE_ID.define(LOCAL_OTHER),
    fileId,
    EVENT.define(LOCAL_EVENT),
    start,
    RECORD.define(LOCAL_RECORD),
  ])
}

/** Returns the stops and starts of the timer for the pauses that reach into the recording. */
function pauseEvents(pauses: readonly Pause[], firstMs: number, lastMs: number): TimerEvent[] {
  return pauses
    .filter(({ fromMs, toMs }) => fromMs < toMs && fromMs < lastMs && toMs > firstMs)
    .flatMap(({ fromMs, toMs }) => {
      const stop = { timeMs: Math.max(firstMs, fromMs), eventType: EVENT_TYPE_STOP_ALL }
      return toMs < lastMs ? [stop, { timeMs: toMs, eventType: EVENT_TYPE_START }] : [stop]
    })
}

/**
 * Writes points and, between them in the order of time, the events of the timer. The number of bytes is fixed before.
 */
class RecordWriter {
  readonly #events: readonly TimerEvent[]
  readonly #pointCount: number
  #nextEvent = 0
  #written = 0
  #lastMs = 0

  constructor(events: readonly TimerEvent[], pointCount: number) {
    this.#events = events
    this.#pointCount = pointCount
  }

  get byteLength(): number {
    return this.#pointCount * RECORD.byteLength + this.#events.length * EVENT.byteLength
  }

  /** Time of the last point that was written. */
  get lastMs(): number {
    return this.#lastMs
  }

  write(points: PointSlice): Uint8Array {
    const end = Math.min(points.to, points.from + this.#pointCount - this.#written)
    const events = this.#events.length - this.#nextEvent
    const bytes = Buffer.allocUnsafe((end - points.from) * RECORD.byteLength + events * EVENT.byteLength)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    for (let i = points.from; i < end; i++) {
      this.#lastMs = points.timeMs[i]
      while (this.#events[this.#nextEvent]?.timeMs <= this.#lastMs) {
        EVENT.write(view, at, LOCAL_EVENT, timerEvent(this.#events[this.#nextEvent++]))
        at += EVENT.byteLength
      }
      RECORD.write(view, at, LOCAL_RECORD, recordValues(points, i))
      at += RECORD.byteLength
    }
    this.#written += end - points.from
    return bytes.subarray(0, at)
  }

  /** Returns the events after the last point. There are some if points were added before others meanwhile. */
  rest(): Uint8Array {
    const left = this.#events.slice(this.#nextEvent)
    return Buffer.concat(left.map((event) => message(EVENT, LOCAL_EVENT, timerEvent(event))))
  }
}

function timerEvent({ timeMs, eventType }: TimerEvent) {
  return { timestamp: fitTime(timeMs), event: EVENT_TIMER, eventType }
}

function recordValues({ timeMs, latitude, longitude, altitude, speedMps, accuracy }: PointSlice, i: number) {
  return {
    timestamp: fitTime(timeMs[i]),
    latitude: latitude[i],
    // 180 degrees are one more than the type holds, and the same meridian as -180.
    longitude: longitude[i] === 180 ? -180 : longitude[i],
    altitude: altitude[i],
    speedMps: speedMps[i],
    accuracy: accuracy[i],
  }
}

function summaryLength(): number {
  const once = [LAP, SESSION, ACTIVITY].map((one) => one.define(LOCAL_OTHER).length + one.byteLength)
  return EVENT.byteLength + once.reduce((sum, length) => sum + length, 0)
}

/** The stop of the timer, the lap, the session and the activity. They follow the points, as in the files of devices. */
function summary({ activityType, totals }: ExportedTrack, firstMs: number, lastMs: number): Uint8Array {
  const timestamp = fitTime(lastMs)
  const elapsedSec = totals.durationSec ?? (lastMs - firstMs) / 1000
  const timerSec = Math.max(0, elapsedSec - (totals.pausedSec ?? 0))
  const { distanceMeters, ascentMeters, descentMeters, meanSpeedMps, maxSpeedMps } = totals
  const span = { timestamp, messageIndex: 0, startTime: fitTime(firstMs), sport: SPORTS[activityType] }
  const sums = { elapsedSec, timerSec, distanceMeters, ascentMeters, descentMeters, meanSpeedMps, maxSpeedMps }
  const lap = { event: EVENT_LAP, eventType: EVENT_TYPE_STOP, lapTrigger: LAP_TRIGGER_SESSION_END }
  const session = { event: EVENT_SESSION, eventType: EVENT_TYPE_STOP, firstLapIndex: 0, numLaps: 1 }
  const activity = { event: EVENT_ACTIVITY, eventType: EVENT_TYPE_STOP, numSessions: 1, type: ACTIVITY_MANUAL }
  return Buffer.concat([
    message(EVENT, LOCAL_EVENT, timerEvent({ timeMs: lastMs, eventType: EVENT_TYPE_STOP_ALL })),
    LAP.define(LOCAL_OTHER),
    message(LAP, LOCAL_OTHER, { ...span, ...sums, ...lap }),
    SESSION.define(LOCAL_OTHER),
    message(SESSION, LOCAL_OTHER, { ...span, ...sums, ...session, trigger: SESSION_TRIGGER_ACTIVITY_END }),
    ACTIVITY.define(LOCAL_OTHER),
    message(ACTIVITY, LOCAL_OTHER, { timestamp, timerSec, ...activity }),
  ])
}

function message<Fields>(one: FitMessage<Fields>, local: number, values: Parameters<FitMessage<Fields>['write']>[3]) {
  const bytes = new Uint8Array(one.byteLength)
  one.write(new DataView(bytes.buffer), 0, local, values)
  return bytes
}

function fitTime(timeMs: number): number {
  return Math.round((timeMs - FIT_EPOCH_MS) / 1000)
}

/**
 * The polynomial x^16 + x^15 + x^2 + 1 with its bits reversed, of the CRC that ends a FIT file (FIT protocol, "CRC").
 * It begins with 0 and is known elsewhere as CRC-16/ARC.
 */
const POLYNOMIAL = 0xa001

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1
  return crc
})

/** Returns the CRC of some bytes; the bytes before them have the CRC `before`. */
export function fitCrc(bytes: Uint8Array, before = 0): number {
  let crc = before
  for (const byte of bytes) crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xff]
  return crc
}
