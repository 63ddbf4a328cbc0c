import { constants, open } from 'node:fs/promises'
import { RefusedError } from '../publish/exchange.ts'
import { followRendering, type Publication, type PublicationClient } from '../publish/publication-client.ts'
import { titleOfFile } from '../publish/read-arguments.ts'
import type { FileToUpload } from '../publish/upload-file.ts'
import type { FoundPdf } from './find-pdfs.ts'

type Result = Outcome extends infer Kind ? (Kind extends unknown ? Omit<Kind, 'name' | 'tookMs'> : never) : never

export type PublishOneOptions = { client: PublicationClient; stuckAfterMs: number }

/** Publishing made no progress for too long. */
class StuckError extends Error {}

/** Publishes a file and returns the result, success or failure. */
export async function publishOne({ path, name }: FoundPdf, options: PublishOneOptions): Promise<Outcome> {
  const startedMs = performance.now()
  const result = await publish(path, name, options).catch(failureOf)
  return { name, tookMs: performance.now() - startedMs, ...result } as Outcome
}

async function publish(path: Buffer, name: string, { client, stuckAfterMs }: PublishOneOptions): Promise<Result> {
  const file = await readableFile(path)
  if ('reason' in file) return { kind: 'unreadable', reason: file.reason }
  const ticket = await client.askForTicket()
  await client.upload(ticket, file, () => {})
  const created = await client.create(ticket, { title: titleOfFile(name) })
  const rendered = await followRendering(client, created, endWhenStuck(stuckAfterMs))
  const { status, page_count: pages, failed_pages = [], failure } = rendered
  if (status === 'failed') return { kind: 'failed', pages, reason: failure?.code ?? 'no reason given' }
  const wrong = await checkImages(client, rendered)
  return { kind: 'ready', pages, failedPages: failed_pages, ...(wrong === undefined ? {} : { wrong }) }
}

/** Opens without blocking, because a pipe would wait for a writer. */
async function readableFile(path: Buffer): Promise<FileToUpload | { reason: string }> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return { path, size: (await handle.stat()).size }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return { reason: (error as NodeJS.ErrnoException).code ?? (error as Error).message }
  }
}

function endWhenStuck(stuckAfterMs: number): (publication: Publication) => void {
  let last = ''
  let changedMs = performance.now()
  return ({ status, pages_ready, page_count }) => {
    const now = `${status}, ${pages_ready} of ${page_count} pages`
    if (now !== last) {
      last = now
      changedMs = performance.now()
    } else if (performance.now() - changedMs > stuckAfterMs) {
      throw new StuckError(`${now} for ${Math.round(stuckAfterMs / 1000)} s`)
    }
  }
}

function failureOf(error: Error): Result {
  if (error instanceof StuckError) return { kind: 'stuck', reason: error.message }
  if (!(error instanceof RefusedError)) return { kind: 'broken', reason: error.message }
  const { status, code, reason } = error
  // Statuses that reject a file. Any other is an error of the server or of this program.
  const isOfFile = [400, 413, 422].includes(status)
  return { kind: isOfFile ? 'refused' : 'broken', reason: `${status} ${code}: ${reason}` }
}

/** Result for one file. */
export type Outcome = {
  name: string
  /** Time from the first request to the end. */
  tookMs: number
} & (
  | {
      kind: 'ready'
      pages: number
      failedPages: readonly { page: number; reason: string }[]
      /** A problem with a ready publication, such as a missing image. */
      wrong?: string
    }
  /** No page could be rendered. */
  | { kind: 'failed'; pages: number; reason: string }
  /** The service rejected the file. */
  | { kind: 'refused'; reason: string }
  /** The file could not be read locally. */
  | { kind: 'unreadable'; reason: string }
  /** Time ran out. */
  | { kind: 'stuck'; reason: string }
  /** An unexpected failure: no response, or an error of the server. */
  | { kind: 'broken'; reason: string }
)

export type OutcomeKind = Outcome['kind']

/** Checks the first and the last image of a ready publication. Returns the problem, if there is one. */
async function checkImages(client: PublicationClient, { slug, page_count }: Publication): Promise<string | undefined> {
  const images = await client.images(slug)
  if (images.length !== page_count) return `${images.length} images are listed for ${page_count} pages`
  for (const page of new Set([1, page_count])) {
    const response = await fetch(images[page - 1]).catch((error: Error) => error)
    if (response instanceof Error) return `the image of page ${page} does not come (${response.message})`
    const bytes = (await response.arrayBuffer()).byteLength
    const type = response.headers.get('content-type') ?? 'no type'
    if (!response.ok || !type.startsWith('image/') || bytes === 0)
      return `the image of page ${page} is answered with ${response.status}, ${type}, ${bytes} bytes`
  }
  return undefined
}
