// The fields of a point. Columns, stored chunks, validation, the JSON scanner and writer, API schemas and exports
// derive from this table, so a new field is one entry here and its heading in the dashboard. Its position decides where
// it stands in all of them: append only, because the order of the columns is part of the stored format.

type Field = {
  /** Name in JSON; 6 to 22 ASCII characters, which the scanner handles as at most three 8-byte words. */
  readonly key: string
  readonly description: string
  readonly example: unknown
}

export type NumberField = Field & {
  readonly kind: 'number'
  readonly isRequired: boolean
  /** Bounds, inclusive. Every number must also be finite, which `1e400` is not. */
  readonly min?: number
  readonly max?: number
  /** Set where devices send a negative value for unknown; the lenient handling of a request takes it as no value. */
  readonly isUnknownBelowZero?: true
  /** Decimals that most devices send; the writer tries them first. */
  readonly decimals: number
  /** First version of the chunk format that stores the field. */
  readonly chunkVersion: number
}

type TimeField = Field & { readonly kind: 'time' }

/** An optional field with one of a few values, stored as a byte: its position in `choices` from 1, or 0 for none. */
export type ChoiceField = Field & {
  readonly kind: 'choice'
  /** Append only: stored chunks hold positions. */
  readonly choices: readonly string[]
  readonly chunkVersion: number
}

/** Every field by the name of its column. */
export const POINT_FIELDS = {
  /** Degrees, -90 to 90. */
  latitude: {
    kind: 'number',
    key: 'latitude',
    isRequired: true,
    min: -90,
    max: 90,
    decimals: 7,
    description: 'Degrees, WGS 84.',
    example: 45.923712,
    chunkVersion: 1,
  },
  /** Degrees, -180 to 180. */
  longitude: {
    kind: 'number',
    key: 'longitude',
    isRequired: true,
    min: -180,
    max: 180,
    decimals: 7,
    description: 'Degrees, WGS 84.',
    example: 6.869433,
    chunkVersion: 1,
  },
  /** Milliseconds since 1970-01-01T00:00:00Z, whole numbers, possibly negative. */
  timeMs: {
    kind: 'time',
    key: 'timestamp',
    description: 'RFC 3339; without an offset it is UTC. Finer than milliseconds is cut off.',
    example: '2026-05-03T06:15:00.000Z',
  },
  /** Meters; NaN where the point has none, as in all optional number columns (JSON has no NaN, so none is lost). */
  altitude: {
    kind: 'number',
    key: 'altitude',
    isRequired: false,
    decimals: 1,
    description: 'Meters.',
    example: 1035.2,
    chunkVersion: 1,
  },
  /** Meters; negative values are stored as sent and mean unknown. */
  accuracy: {
    kind: 'number',
    key: 'accuracy',
    isRequired: false,
    isUnknownBelowZero: true,
    decimals: 1,
    description: 'Meters; negative means unknown.',
    example: 4.5,
    chunkVersion: 1,
  },
  /** Meters per second; negative values are stored as sent and mean unknown. */
  speedMps: {
    kind: 'number',
    key: 'speed_mps',
    isRequired: false,
    isUnknownBelowZero: true,
    decimals: 2,
    description: 'Meters per second; negative means unknown.',
    example: 1.4,
    chunkVersion: 1,
  },
  /** Degrees, 0 to 360. */
  heading: {
    kind: 'number',
    key: 'heading',
    isRequired: false,
    isUnknownBelowZero: true,
    min: 0,
    max: 360,
    decimals: 1,
    description: 'Degrees.',
    example: 92.5,
    chunkVersion: 1,
  },
  /** 0 to 1. */
  battery: {
    kind: 'number',
    key: 'battery',
    isRequired: false,
    isUnknownBelowZero: true,
    min: 0,
    max: 1,
    decimals: 2,
    description: 'Level, 0 to 1.',
    example: 0.87,
    chunkVersion: 1,
  },
  /** Position in the choices from 1; 0 where the point has none. */
  origin: {
    kind: 'choice',
    key: 'origin',
    choices: ['foreground', 'background', 'native'],
    description: 'Part of the app that recorded the point.',
    example: 'background',
    chunkVersion: 1,
  },
  /** Position in the choices from 1; 0 where the point has none. */
  altitudeReference: {
    kind: 'choice',
    key: 'altitude_reference',
    choices: ['sea_level', 'ellipsoid'],
    description: 'Zero of the altitude: sea level as on iOS, or the ellipsoid of WGS 84 as on Android.',
    example: 'sea_level',
    chunkVersion: 2,
  },
} as const satisfies Record<string, NumberField | TimeField | ChoiceField>

export type PointFields = typeof POINT_FIELDS

type ColumnOfKind<Kind> = {
  [Column in keyof PointFields]: PointFields[Column] extends { kind: Kind } ? Column : never
}[keyof PointFields]

type NumberColumn = ColumnOfKind<'number'>
type ChoiceColumn = ColumnOfKind<'choice'>
/** The columns of fields that describe a point at its time, so all but the time itself. */
export type ValueColumn = NumberColumn | ChoiceColumn

type Named<F, Column> = F & { readonly column: Column }
export type NamedNumberField = Named<NumberField, NumberColumn>
export type NamedChoiceField = Named<ChoiceField, ChoiceColumn>
export type NamedField = NamedNumberField | NamedChoiceField | Named<TimeField, 'timeMs'>

/** The fields with the names of their columns, in the order of the table. */
export const FIELDS: readonly NamedField[] = Object.entries(POINT_FIELDS).map(
  ([column, field]) => ({ column, ...field }) as NamedField,
)
export const VALUE_FIELDS = FIELDS.filter((field) => field.kind !== 'time')
/** The fields of exports, whose altitudes are above sea level wherever their zero is known. */
export const EXPORTED_FIELDS = VALUE_FIELDS.filter(({ column }) => column !== 'altitudeReference')
export const NUMBER_FIELDS = FIELDS.filter((field) => field.kind === 'number')
export const CHOICE_FIELDS = FIELDS.filter((field) => field.kind === 'choice')
