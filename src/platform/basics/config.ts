import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { readDuration } from './time.ts'

/** A setting: its variable, default, explanation and parser. */
export type Setting<T> = {
  env: string
  fallback: string
  doc: string
  /**
   * Parses the value.
   * @throws Error whose message describes a valid text
   */
  read: (text: string) => T
  /**
   * Secrets are never printed, not even in error messages. They may come from a file, whose path is in `<env>_FILE`.
   */
  secret?: boolean
}

/**
 * Returns the variable that names a file with the value of a setting. Secrets have one; undefined for other settings.
 */
export function fileVariable({ env, secret }: Setting<unknown>): string | undefined {
  return secret === true ? `${env}_FILE` : undefined
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
 * Reads all tables from the environment and reports all problems at once. An empty variable counts as unset. The value
 * of a secret may be in a file, such as one that Docker, Kubernetes or systemd mounts.
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
    const given = textOf(setting, env)
    try {
      if (given.problem !== undefined) throw new Error(given.problem)
      return [key, setting.read(given.text)]
    } catch (error) {
      const shown = setting.secret ? '' : ` (it is ${JSON.stringify(given.text)})`
      problems.push(`${given.source} ${(error as Error).message}${shown}. ${setting.doc}`)
      return [key, undefined]
    }
  })
  return Object.freeze(Object.fromEntries(values))
}

type GivenText = { source: string; text: string; problem?: string }

/** Returns the text of a setting with its variable, or the problem with that variable. */
function textOf(setting: Setting<unknown>, env: Record<string, string | undefined>): GivenText {
  const text = env[setting.env]?.trim() ?? ''
  const variable = fileVariable(setting)
  const path = variable === undefined ? '' : (env[variable]?.trim() ?? '')
  if (variable === undefined || path === '') return { source: setting.env, text: text || setting.fallback }
  if (text !== '') return { source: setting.env, text, problem: `and ${variable} are both set. Set one of them` }
  return { source: variable, ...readValueFile(path) }
}

/** Reads the value of a setting from a file, without the line break that editors and `echo` leave at its end. */
function readValueFile(path: string): { text: string; problem?: string } {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return text === '' ? { text, problem: `names ${path}, which is empty` } : { text }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { text: '', problem: `names ${path}, which cannot be read (${code})` }
  }
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

/** Parses true or false. */
export function boolean(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false')
  return value === 'true'
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
  return url.href.replace(/(?<!\/)\/+$/, '')
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
