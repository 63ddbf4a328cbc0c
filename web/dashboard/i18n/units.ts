import { useSyncExternalStore } from 'react'
import { storedText, storeText } from '../../ui/stored-text.ts'

/** The systems of units that a reader can choose. */
export const SYSTEMS = ['metric', 'imperial'] as const
export type System = (typeof SYSTEMS)[number]

/** International yard and pound agreement of 1959: a mile has 5,280 feet of 0.3048 m. */
const METERS_PER_MILE = 1609.344
const METERS_PER_FOOT = 0.3048

/** The units of a system: their names, and their lengths in metres. */
export type Units = {
  far: 'km' | 'mi'
  metersPerFar: number
  /** Distances below this are said in the unit of heights. */
  farFromMeters: number
  high: string
  metersPerHigh: number
  speed: string
  pace: string
}

const METRIC: Units = {
  far: 'km',
  metersPerFar: 1000,
  farFromMeters: 1000,
  high: 'm',
  metersPerHigh: 1,
  speed: 'km/h',
  pace: '/km',
}

const IMPERIAL: Units = {
  far: 'mi',
  metersPerFar: METERS_PER_MILE,
  farFromMeters: METERS_PER_MILE / 10,
  high: 'ft',
  metersPerHigh: METERS_PER_FOOT,
  speed: 'mph',
  pace: '/mi',
}

/** Returns the units of a system, by the names that the language has for them (CLDR). */
export function unitsOf(system: System, language: string): Units {
  if (system === 'metric') return METRIC
  return { ...IMPERIAL, high: shortName('foot', language), speed: shortName('mile-per-hour', language) }
}

/** Returns the short name of a unit in a language, such as `mph` or `mi/h`. */
function shortName(unit: string, language: string): string {
  const parts = new Intl.NumberFormat(language, { style: 'unit', unit }).formatToParts(1)
  return parts.find(({ type }) => type === 'unit')!.value
}

const STORED_AS = 'trackpress-units'
const listeners = new Set<() => void>()
let chosen: System | undefined

/** Chooses the units of the page, for this browser. */
export function chooseSystem(system: System): void {
  chosen = system
  storeText(STORED_AS, system)
  for (const listener of listeners) listener()
}

/** Returns the current system, and follows the choice. */
export function useSystem(): System {
  return useSyncExternalStore(listen, currentSystem)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the system chosen in this browser, metric without a choice. */
export function currentSystem(): System {
  chosen ??= storedText(STORED_AS) === 'imperial' ? 'imperial' : 'metric'
  return chosen
}
