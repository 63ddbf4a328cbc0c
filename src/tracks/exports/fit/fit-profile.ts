import { defineMessage, type FitField } from './fit-message.ts'

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
