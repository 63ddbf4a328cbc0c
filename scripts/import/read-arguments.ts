import { readServer, splitArguments } from '../command-line/split-arguments.ts'
import { ImportError } from './import-files.ts'

/** The files to import, and the server to import them into. */
export type ImportOptions = {
  /** Files and folders. */
  paths: string[]
  /** Without a trailing slash. */
  server: string
  token: string
  /** Sent as the query of each import. */
  userId: string | undefined
  activityType: string | undefined
}

export const USAGE = `Usage: npm run import -- <files or folders> [options]

Imports GPX, TCX, FIT, KML and GeoJSON files, also packed by gzip, into an event of a running server. Of a folder, it
takes every such file in it and in the folders below. Files that were imported before are named and left alone.

  --token <token>     the app token of an event (default: the variable TRACKPRESS_TOKEN)
  --server <address>  the server (default http://localhost:8080)
  --user <user_id>    the person whose tracks they are
  --activity <type>   run, walk, bike or hike, for files that name no sport that the server knows`

const NO_TOKEN = `an app token is needed, as --token or in the variable TRACKPRESS_TOKEN. To get one, on the server:
    npm run --silent admin -- events list
    npm run --silent admin -- events token <id>`

const OPTIONS = {
  token: { type: 'string' },
  server: { type: 'string' },
  user: { type: 'string' },
  activity: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Parses a command line. Returns undefined if it asks for help. @throws ImportError that lists every mistake */
export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ImportOptions | undefined {
  const { given, words: paths, problems } = splitArguments(args, OPTIONS)
  if (given.has('help')) return undefined
  if (paths.length === 0) problems.unshift('a file or a folder is needed')
  const server = readServer(given.get('server'), problems)
  const token = (given.get('token') ?? env.TRACKPRESS_TOKEN ?? '').trim()
  if (token === '') problems.push(NO_TOKEN)
  if (problems.length > 0) throw new ImportError(problems.map((problem) => `- ${problem}\n`).join(''))
  return { paths, server, token, userId: given.get('user'), activityType: given.get('activity') }
}
