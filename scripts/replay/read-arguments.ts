import { readServer, splitArguments } from '../command-line/split-arguments.ts'
import { ReplayError } from './track-client.ts'

/** Options of a replay. */
export type ReplayOptions = {
  path: string
  /** Speed relative to the recording; Infinity = without waiting. */
  speed: number
  batchSec: number
  isLossy: boolean
  seed: number
  /** Without a trailing slash. */
  url: string
  token: string
}

export const USAGE = `Usage: npm run replay -- <file.fit|file.gpx|file.tcx> [options]

Plays a recorded activity against a running server, the way a phone sends it while it records.

  --speed <n|max>   times faster than it was recorded, max = without waiting (default 60)
  --batch-sec <n>   seconds of the recording in one request (default 10)
  --lossy           with a bad connection: answers lost, requests cut off, points late, twice, overlapping
  --seed <n>        another course of the bad connection (default 1)
  --url <address>   the server (default http://localhost:8080)
  --token <token>   the app token of an event (default: the variable TRACKPRESS_TOKEN)`

const NO_TOKEN = `an app token is needed, as --token or in the variable TRACKPRESS_TOKEN. To get one, on the server:
    npm run --silent admin -- events list
    npm run --silent admin -- events token <id>`

const OPTIONS = {
  speed: { type: 'string' },
  'batch-sec': { type: 'string' },
  lossy: { type: 'boolean' },
  seed: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Parses a command line. Returns undefined if it asks for help. @throws ReplayError that lists every mistake */
export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReplayOptions | undefined {
  const { given, words: paths, problems } = splitArguments(args, OPTIONS)
  if (given.has('help')) return undefined
  const text = (name: string, fallback: string) => given.get(name) ?? fallback
  const checked = <Value>(name: string, value: Value | undefined, rule: string): Value => {
    if (value === undefined) problems.push(`--${name} ${rule} (it is ${JSON.stringify(text(name, ''))})`)
    return value as Value
  }
  const speed = checked('speed', readSpeed(text('speed', '60')), 'must be a number over 0, or max')
  const batchSec = checked('batch-sec', readPositive(text('batch-sec', '10')), 'must be a number of seconds over 0')
  const seed = checked('seed', readSeed(text('seed', '1')), 'must be a whole number of at most nine digits')
  const url = readServer(given.get('url'), problems, 'url')
  const token = text('token', env.TRACKPRESS_TOKEN ?? '').trim()
  if (paths.length !== 1) problems.unshift(`one file is needed, ${paths.length} are given`)
  if (token === '') problems.push(NO_TOKEN)
  if (problems.length > 0) throw new ReplayError(problems.map((problem) => `- ${problem}\n`).join(''))
  return { path: paths[0], speed, batchSec, isLossy: given.has('lossy'), seed, url, token }
}

function readSpeed(text: string): number | undefined {
  return text === 'max' ? Number.POSITIVE_INFINITY : readPositive(text)
}

function readPositive(text: string): number | undefined {
  return /^\d{1,9}(\.\d+)?$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

function readSeed(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
