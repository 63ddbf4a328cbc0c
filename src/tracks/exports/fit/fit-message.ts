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
export type FitField = { number: number; type: keyof typeof BASE_TYPES; scale?: number; offset?: number }

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
export function defineMessage<const Fields extends Record<string, FitField>>(
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
