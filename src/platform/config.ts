import { isIP } from 'node:net'

/** One setting: its variable, what it is without one, what it means, and how its text is read. */
export type Setting<T> = {
  env: string
  fallback: string
  doc: string
  /** Gives the value; throws an Error whose message says what the text must be. */
  read: (text: string) => T
  /** A secret is never printed, not even in a complaint about it. */
  secret?: boolean
}

/** The settings of one part, by the name the code uses. */
export type SettingsTable = Record<string, Setting<unknown>>

/** The values of a table. */
export type Settings<Table extends SettingsTable> = { readonly [Key in keyof Table]: ReturnType<Table[Key]['read']> }

/** Everything that is wrong with the settings, all at once, one line each. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads several tables from the environment at once, so that a person who got three variables wrong is told of all
 * three. An empty variable counts as unset.
 * @throws ConfigError with every problem.
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

/** Any text. */
export const text = (value: string): string => value

/** A whole number within bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^-?\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return number
  }
}

/** One of a list of words. */
export function oneOf<const Word extends string>(...words: Word[]): (text: string) => Word {
  return (value) => {
    const found = words.find((word) => word === value)
    if (found === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return found
  }
}

/** A comma-separated list of words from a list; at least one, each once. */
export function someOf<const Word extends string>(...words: Word[]): (text: string) => readonly Word[] {
  const word = oneOf(...words)
  return (value) => [...new Set(value.split(',').map((part) => word(part.trim())))]
}

/** An IANA time zone, such as Europe/Paris. */
export function timeZone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch {
    throw new Error('must be an IANA time zone such as UTC or Europe/Paris')
  }
}

/** An absolute http or https address without query, given back without a trailing slash; empty stays empty. */
export function httpAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https address')
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    throw new Error('must be an address without query, fragment or user name')
  return url.href.replace(/\/+$/, '')
}

/** Empty, or an address of PostgreSQL. */
export function databaseAddress(value: string): string {
  if (value === '') return ''
  const url = URL.parse(value)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Error('must be empty (SQLite) or begin with postgres://')
  }
  return value
}

/** A comma-separated list of addresses and CIDR ranges. */
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
