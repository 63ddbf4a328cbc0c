import { readServer, splitArguments } from '../command-line/split-arguments.ts'
import { PublishError } from '../publish/exchange.ts'

/** The documents to publish, and the server to publish them on. */
export type CorpusOptions = {
  folder: string
  /** A running server, without a trailing slash. If undefined, a temporary one is started. */
  server: string | undefined
  apiKey: string | undefined
  /** Files published at once. */
  atOnce: number
  /** A publication without progress for this long is stuck. */
  stuckAfterSec: number
}

export const USAGE = `Usage: npm run corpus -- <folder> [options]

Publishes every PDF of a folder and of the folders in it over the API, and reports what came of each, how much memory
the server took and how fast it answered meanwhile. It starts a server of its own on a temporary data folder, unless it
is given one. The end is 1 where something got stuck, or the server ended, was slow or took too much memory.

  --server <address>    a running server, whose memory is then not looked at
  --key <key>           the API key of a workspace there (default: the variable TRACKPRESS_API_KEY)
  --at-once <n>         files under way at once (default 4)
  --stuck-after <sec>   a publication that gets no further for so long is stuck (default 180)`

const OPTIONS = {
  server: { type: 'string' },
  key: { type: 'string' },
  'at-once': { type: 'string' },
  'stuck-after': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Parses a command line. Returns undefined if it asks for help. @throws PublishError that lists every mistake */
export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CorpusOptions | undefined {
  const { given, words, problems } = splitArguments(args, OPTIONS)
  if (given.has('help')) return undefined
  if (words.length !== 1) problems.unshift(`one folder is needed, ${words.length} are given`)
  const count = (name: string, fallback: number, most: number) => {
    const text = given.get(name) ?? String(fallback)
    if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= most) return Number(text)
    problems.push(`--${name} must be a whole number from 1 to ${most} (it is ${JSON.stringify(text)})`)
    return fallback
  }
  const atOnce = count('at-once', 4, 100)
  const stuckAfterSec = count('stuck-after', 180, 86_400)
  const server = given.has('server') ? readServer(given.get('server'), problems) : undefined
  const apiKey = (given.get('key') ?? env.TRACKPRESS_API_KEY ?? '').trim() || undefined
  if (problems.length > 0) throw new PublishError(problems.map((problem) => `- ${problem}\n`).join(''))
  return { folder: words[0], server, apiKey, atOnce, stuckAfterSec }
}
