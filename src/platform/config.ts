import { isIP } from 'node:net'
import { readDuration } from './time/duration.ts'

/** A setting: its variable, default, explanation and parser. */
export type Setting<T> = {
  env: string
  fallback: string
  doc: string
  /** Parses the value. @throws Error whose message says what the text must be */
  read: (text: string) => T
  /** Secrets are never printed, not even in error messages. */
  secret?: boolean
}

/** The settings of one service, by their names in the code. */
export type SettingsTable = Record<string, Setting<unknown>>

/** The values of a table. */
export type Settings<Table extends SettingsTable> = { readonly [Key in keyof Table]: ReturnType<Table[Key]['read']> }

/** Lists all problems of the settings, one a line. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The settings are invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads all tables from the environment and reports all problems at once. An empty variable counts as unset.
 * @throws ConfigError with every problem
 */
export function readConfig<Tables extends Record<string, SettingsTable>>(
  tables: Tables,
  env: Record<string, string | undefined>,
): { readonly [Name in keyof Tables]: Settings<Tables[Name]> } {
  const problems: string[] = []
  const parts = Object.entries(tables).map(([name, table]) => [name, readTable(table, env, problems)])
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(Object.fromEntries(parts))
}

function readTable(table: SettingsTable, env: Record<string, string | undefined>, problems: string[]): object {
  const values = Object.entries(table).map(([key, setting]) => {
    const text = env[setting.env]?.trim() || setting.fallback
    try {
      return [key, setting.read(text)]
    } catch (error) {
      const shown = setting.secret ? '' : ` (it is ${JSON.stringify(text)})`
      problems.push(`${setting.env} ${(error as Error).message}${shown}. ${setting.doc}`)
      return [key, undefined]
    }
  })
  return Object.freeze(Object.fromEntries(values))
}

/** Accepts any text. */
export const text = (value: string): string => value

/** Parses a whole number within bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^-?\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
}

/** Parses a length of time such as 90s, 15m, 24h or 7d within bounds. Returns milliseconds. */
export function duration(minMs: number, maxMs: number): (text: string) => number {
  return (value) => {
    const durationMs = readDuration(value)
    if (durationMs === undefined || durationMs < minMs || durationMs > maxMs)
      throw new Error(`must be a length of time such as 90s, 30m or 24h, from ${minMs / 1000}s to ${maxMs / 1000}s`)
    return durationMs
  }
}

/** Accepts one word of a list. */
export function oneOf<const Word extends string>(...words: Word[]): (text: string) => Word {
  return (value) => {
    const found = words.find((word) => word === value)
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return found
  }
}

/** Parses comma-separated words of a list. Requires at least one and drops duplicates. */
export function someOf<const Word extends string>(...words: Word[]): (text: string) => readonly Word[] {
  const word = oneOf(...words)
  return (value) => [...new Set(value.split(',').map((part) => word(part.trim())))]
}

/** Accepts an IANA time zone, such as Europe/Paris. */
export function timeZone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    throw new Error('must be an IANA time zone such as UTC or Europe/Paris')
  }
}

/** Parses an http or https URL without query, and removes a trailing slash. Accepts an empty text. */
export function httpAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must be a URL without query, fragment or user name')
  return url.href.replace(/\/+$/, '')
}

/** Accepts an empty text or a URL of PostgreSQL. */
export function databaseAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Error('must be empty (SQLite) or begin with postgres://')
  }
  return value
}

/** Parses comma-separated addresses and CIDR ranges. */
export function addressRanges(value: string): readonly string[] {
  const ranges = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  for (const range of ranges) {
    const [address, bits, ...rest] = range.split('/')
    const version = isIP(address ?? '')
    const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
    if (version === 0 || !fits || rest.length > 0)
      throw new Error(`must be a list of addresses or CIDR ranges; ${range} is neither`)
  }
  return ranges
}
