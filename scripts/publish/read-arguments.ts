import { basename } from 'node:path'
import { readServer, splitArguments } from '../command-line/split-arguments.ts'
import { PublishError } from './exchange.ts'

/** A file to publish, and the server to publish it on. */
export type PublishOptions = {
  path: string
  /** Undefined for the title that the file states, or else its name. */
  title: string | undefined
  isDraft: boolean
  /** Without a trailing slash. */
  server: string
  /** Undefined if it has to be found. */
  apiKey: string | undefined
}

export const USAGE = `Usage: npm run publish -- <file>… [options]

Publishes PDFs, ZIP files of images, comics and images on a running server, one after another, and prints their public addresses.

  --title <title>     the title of a single file (default: the one that the file states, or its name)
  --draft             saves drafts, which readers do not see
  --server <address>  the server (default http://localhost:8080)
  --key <key>         the API key of a workspace (default: the variable TRACKPRESS_API_KEY; for a server whose
                      data folder is here, the key of its workspace)`

const OPTIONS = {
  title: { type: 'string' },
  draft: { type: 'boolean' },
  server: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Parses a command line. Returns undefined if it asks for help. @throws PublishError that lists every mistake */
export function readArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): PublishOptions[] | undefined {
  const { given, words, problems } = splitArguments(args, OPTIONS)
  if (given.has('help')) return undefined
  if (words.length === 0) problems.unshift('a file is needed')
  const title = given.get('title')
  if (title?.trim() === '') problems.push('--title must not be empty')
  if (title !== undefined && words.length > 1) problems.push(`--title is for one file, ${words.length} are given`)
  const server = readServer(given.get('server'), problems)
  const apiKey = (given.get('key') ?? env.TRACKPRESS_API_KEY ?? '').trim() || undefined
  if (problems.length > 0) throw new PublishError(problems.map((problem) => `- ${problem}\n`).join(''))
  const isDraft = given.has('draft')
  return words.map((path) => ({ path, title, isDraft, server, apiKey }))
}

/** Maximum length of a publication's title. */
const MAX_TITLE_LENGTH = 500

/** Derives a title from a file: its name without the ending of its format. */
export function titleOfFile(path: string): string {
  const name = basename(path)
    .toWellFormed()
    .replace(/\.(?:pdf|zip|cbz|jpe?g|png|webp|avif|tiff?)$/i, '')
    .trim()
  return [...name].slice(0, MAX_TITLE_LENGTH).join('').trim() || 'Document'
}
