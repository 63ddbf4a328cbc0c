/** Base types of the FIT protocol: code, size in bytes, range of valid values, and the value that means none. */
const BASE_TYPES = {
  enum: { code: 0x00, size: 1, min: 0, max: 0xfe, none: 0xff },
  uint8: { code: 0x02, size: 1, min: 0, max: 0xfe, none: 0xff },
  uint16: { code: 0x84, size: 2, min: 0, max: 0xfffe, none: 0xffff },
  sint32: { code: 0x85, size: 4, min: -0x8000_0000, max: 0x7fff_fffe, none: 0x7fff_ffff },
  uint32: { code: 0x86, size: 4, min: 0, max: 0xffff_fffe, none: 0xffff_ffff },
  uint32z: { code: 0x8c, size: 4, min: 1, max: 0xffff_ffff, none: 0 },
} as const

/** First byte of a message that defines another. The low four bits are the local message number. */
const DEFINITION_HEADER = 0x40
const LITTLE_ENDIAN = 0

/** A field of a message. A value is stored as the whole number nearest to `(value + offset) * scale`. */
type FitField = { number: number; type: keyof typeof BASE_TYPES; scale?: number; offset?: number }

/** Values of a message by the names of its fields. An absent value, NaN and one that the type cannot hold mean none. */
type Values<Fields> = { [Name in keyof Fields]?: number | undefined }

/** A message of a FIT file. */
export type FitMessage<Fields> = {
  /** Length of the message in bytes, without its definition. */
  readonly byteLength: number
  /** Returns the definition, which precedes the messages with this local number. */
  define(local: number): Uint8Array
  /** Writes a message at this place. */
  write(view: DataView, at: number, local: number, values: Values<Fields>): void
}

/**
 * Describes a message: its definition, and how its values are written.
 * @param globalNumber the number of the message in the profile
 */
function defineMessage<const Fields extends Record<string, FitField>>(
  globalNumber: number,
  fields: Fields,
): FitMessage<Fields> {
  const list = Object.entries(fields).map(([name, { number, type, scale = 1, offset = 0 }]) => {
    return { name, number, scale, offset, ...BASE_TYPES[type] }
  })
  return {
    byteLength: 1 + list.reduce((sum, { size }) => sum + size, 0),
    define(local) {
      const fieldsOf = list.flatMap(({ number, size, code }) => [number, size, code])
      const global = [globalNumber & 0xff, globalNumber >> 8]
      return Uint8Array.of(DEFINITION_HEADER | local, 0, LITTLE_ENDIAN, ...global, list.length, ...fieldsOf)
    },
    write(view, at, local, values) {
      view.setUint8(at, local)
      let place = at + 1
      for (const { name, size, scale, offset, min, max, none } of list) {
        const value = values[name]
        const whole = value === undefined ? Number.NaN : Math.round((value + offset) * scale)
        // Also true for NaN.
        const isNone = !(whole >= min && whole <= max)
        setNumber(view, place, size, isNone ? none : whole)
        place += size
      }
    },
  }
}

/** Writes a whole number. Negative ones become their two's complement. */
function setNumber(view: DataView, at: number, size: 1 | 2 | 4, value: number): void {
  if (size === 1) view.setUint8(at, value)
  else if (size === 2) view.setUint16(at, value, true)
  else view.setUint32(at, value, true)
}

// The messages of an activity file as facts of the public protocol: the numbers of messages, fields and values are
// those of the global FIT profile (https://developer.garmin.com/fit/protocol/ and "Activity File" in the same
// documentation). The tests read what is written with a library that has its own copy of the profile.

/** 1989-12-31T00:00:00Z, from which FIT counts seconds ("date_time"). */
export const FIT_EPOCH_MS = 631_065_600_000
/** Smallest "date_time" that is a time of day and not one since the device was switched on: 1998-07-03T21:24:16Z. */
export const MIN_FIT_TIME_MS = FIT_EPOCH_MS + 0x1000_0000 * 1000
/** Largest "date_time", one below the value that means none: 2126-02-06T06:28:14Z. */
export const MAX_FIT_TIME_MS = FIT_EPOCH_MS + 0xffff_fffe * 1000

/** Values of the type "file". */
export const FILE_ACTIVITY = 4
/** Value of the type "manufacturer" for programs that have no number of their own. */
export const MANUFACTURER_DEVELOPMENT = 255
/** Values of the type "event". */
export const EVENT_TIMER = 0
export const EVENT_SESSION = 8
export const EVENT_LAP = 9
export const EVENT_ACTIVITY = 26
/** Values of the type "event_type". */
export const EVENT_TYPE_START = 0
export const EVENT_TYPE_STOP = 1
export const EVENT_TYPE_STOP_ALL = 4
/** Value of the type "lap_trigger". */
export const LAP_TRIGGER_SESSION_END = 7
/** Value of the type "session_trigger". */
export const SESSION_TRIGGER_ACTIVITY_END = 0
/** Value of the type "activity". */
export const ACTIVITY_MANUAL = 0
/** Values of the type "sport". */
export const SPORTS = { run: 1, bike: 2, walk: 11, hike: 17 } as const

const timestamp = { number: 253, type: 'uint32' } as const satisfies FitField
const messageIndex = { number: 254, type: 'uint16' } as const satisfies FitField
const seconds = { type: 'uint32', scale: 1000 } as const
const meters = { type: 'uint32', scale: 100 } as const
const metersPerSecond = { type: 'uint32', scale: 1000 } as const
/** Angles as parts of a half circle: 180 degrees are 2^31. */
const semicircles = { type: 'sint32', scale: 2 ** 31 / 180 } as const

export const FILE_ID = defineMessage(0, {
  type: { number: 0, type: 'enum' },
  manufacturer: { number: 1, type: 'uint16' },
  product: { number: 2, type: 'uint16' },
  serialNumber: { number: 3, type: 'uint32z' },
  timeCreated: { number: 4, type: 'uint32' },
})

export const EVENT = defineMessage(21, {
  timestamp,
  event: { number: 0, type: 'enum' },
  eventType: { number: 1, type: 'enum' },
})

/** A point. The enhanced fields hold every altitude and speed; the older ones end at 12,606 m and 65.5 m/s. */
export const RECORD = defineMessage(20, {
  timestamp,
  latitude: { number: 0, ...semicircles },
  longitude: { number: 1, ...semicircles },
  altitude: { number: 78, type: 'uint32', scale: 5, offset: 500 },
  speedMps: { number: 73, ...metersPerSecond },
  accuracy: { number: 31, type: 'uint8' },
})

export const LAP = defineMessage(19, {
  timestamp,
  messageIndex,
  event: { number: 0, type: 'enum' },
  eventType: { number: 1, type: 'enum' },
  startTime: { number: 2, type: 'uint32' },
  elapsedSec: { number: 7, ...seconds },
  timerSec: { number: 8, ...seconds },
  distanceMeters: { number: 9, ...meters },
  ascentMeters: { number: 21, type: 'uint16' },
  descentMeters: { number: 22, type: 'uint16' },
  lapTrigger: { number: 24, type: 'enum' },
  sport: { number: 25, type: 'enum' },
  meanSpeedMps: { number: 110, ...metersPerSecond },
  maxSpeedMps: { number: 111, ...metersPerSecond },
})

export const SESSION = defineMessage(18, {
  timestamp,
  messageIndex,
  event: { number: 0, type: 'enum' },
  eventType: { number: 1, type: 'enum' },
  startTime: { number: 2, type: 'uint32' },
  sport: { number: 5, type: 'enum' },
  elapsedSec: { number: 7, ...seconds },
  timerSec: { number: 8, ...seconds },
  distanceMeters: { number: 9, ...meters },
  ascentMeters: { number: 22, type: 'uint16' },
  descentMeters: { number: 23, type: 'uint16' },
  firstLapIndex: { number: 25, type: 'uint16' },
  numLaps: { number: 26, type: 'uint16' },
  trigger: { number: 28, type: 'enum' },
  meanSpeedMps: { number: 124, ...metersPerSecond },
  maxSpeedMps: { number: 125, ...metersPerSecond },
})

export const ACTIVITY = defineMessage(34, {
  timestamp,
  timerSec: { number: 0, ...seconds },
  numSessions: { number: 1, type: 'uint16' },
  type: { number: 2, type: 'enum' },
  event: { number: 3, type: 'enum' },
  eventType: { number: 4, type: 'enum' },
})
