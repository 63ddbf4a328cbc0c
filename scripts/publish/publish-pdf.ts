import { access, constants, open, stat } from 'node:fs/promises'
import { type StatusLine, showStatus, type Terminal } from '../command-line/status-line.ts'
import { PublishError, RefusedError } from './exchange.ts'
import { findApiKey } from './find-api-key.ts'
import { type PublishState, progressLine } from './progress.ts'
import { followRendering, type Publication, type PublicationClient, publicationClient } from './publication-client.ts'
import { type PublishOptions, titleOfFile } from './read-arguments.ts'
import type { FileToUpload, SourceType } from './upload-file.ts'

/** The stream for the public address, and the one for everything else. */
export type Terminals = { output: Pick<Terminal, 'write'>; progress: Terminal }

/** Maximum number of failed pages to list. */
const NAMED_PAGES = 10

/**
 * Publishes files one after another, as `publishPdf` does each. A file that is refused, or cannot be read, is named
 * with its reason, and the next follows. Returns whether all are published.
 * @throws PublishError if it is the only file, the key is refused, the server stays unreachable, or it was stopped
 */
export async function publishAll(
  files: readonly PublishOptions[],
  terminals: Terminals,
  signal?: AbortSignal,
): Promise<boolean> {
  let failed = 0
  for (const options of files) {
    try {
      await publishPdf(options, terminals, signal)
    } catch (error) {
      if (files.length === 1 || !(error instanceof FileError || isRefusedFile(error))) throw error
      failed++
      terminals.progress.write(
        error instanceof FileError ? `${error.message}\n` : `${options.path}: ${error.message}\n`,
      )
    }
  }
  const [done, undone] = files.some(({ isDraft }) => isDraft)
    ? ['saved as drafts', 'not saved']
    : ['published', 'not published']
  if (files.length > 1) terminals.progress.write(`${files.length - failed} ${done}, ${failed} ${undone}\n`)
  return failed === 0
}

/** Returns whether the server refused this file, as opposed to whatever it is sent. */
function isRefusedFile(error: unknown): error is RefusedError {
  return error instanceof RefusedError && [400, 413, 422].includes(error.status)
}

/** A file that cannot be read or rendered. The message names it. */
class FileError extends PublishError {
  override name = 'FileError'
}

/**
 * Publishes a file on a running server. Writes the public address as soon as the page is readable,
 * and returns when every page is rendered; the address of a draft at once.
 * @throws PublishError if the file cannot be read or published, or the server stays unreachable
 */
export async function publishPdf(options: PublishOptions, terminals: Terminals, signal?: AbortSignal): Promise<void> {
  const file = await readableFile(options.path)
  const client = await openClient(options, signal)
  let state: PublishState = { step: 'uploading', sentBytes: 0, bytes: file.size }
  const status = showStatus(terminals.progress, (width) => progressLine(state, width))
  const show = (next: PublishState) => {
    state = next
  }
  try {
    const created = await send(client, file, options, show)
    if (options.isDraft) {
      status.stop()
      terminals.progress.write('Saved as a draft, which readers do not see.\n')
      terminals.output.write(`${created.public_url}\n`)
      return
    }
    const rendered = await follow(client, created, {
      path: options.path,
      show,
      status,
      output: terminals.output,
      signal,
    })
    status.stop()
    terminals.progress.write(failedPages(rendered))
  } catch (error) {
    status.stop()
    throw signal?.aborted ? new PublishError('Stopped.') : error
  }
}

async function readableFile(path: string): Promise<FileToUpload> {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw new FileError(`${path} is not a file`)
    await access(path, constants.R_OK)
    return { path, size: found.size, type: await sourceTypeOf(path) }
  } catch (error) {
    if (error instanceof PublishError) throw error
    const { code } = error as NodeJS.ErrnoException
    const reasons: Record<string, string> = { ENOENT: 'there is no such file', EACCES: 'it may not be read' }
    throw new FileError(`${path}: ${reasons[code ?? ''] ?? code}`)
  }
}

/** The first bytes of ZIP files and of JPEG, PNG, WebP, AVIF and TIFF images. */
const IMAGES = /^(?:PK|\xff\xd8\xff|\x89PNG|RIFF.{4}WEBP|.{4}ftypavi|II[*+]\0|MM\0[*+])/s
const HEAD_BYTES = 16

/** Returns the source that a file's first bytes announce; what is no image is left to the server as a PDF. */
async function sourceTypeOf(path: string): Promise<SourceType> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return IMAGES.test(buffer.toString('latin1', 0, bytesRead)) ? 'images' : 'pdf'
}

/** Creates a client and checks its key. */
async function openClient({ server, apiKey }: PublishOptions, signal?: AbortSignal): Promise<PublicationClient> {
  return publicationClient(server, apiKey ?? (await findApiKey(server, process.env)), signal)
}

async function send(
  client: PublicationClient,
  file: FileToUpload,
  { path, title, isDraft }: PublishOptions,
  show: (state: PublishState) => void,
): Promise<Publication> {
  const ticket = await client.askForTicket(file.type).catch((error) => {
    if (!(error instanceof RefusedError) || error.status !== 401) throw error
    throw new PublishError(
      `${error.message}\nDoes the key belong to this server? npm run --silent admin -- workspaces list`,
    )
  })
  let sentBytes = 0
  await client.upload(ticket, file, (bytes) => {
    sentBytes += bytes
    show({ step: 'uploading', sentBytes, bytes: file.size })
  })
  show({ step: 'opening' })
  const fields = { title: title ?? titleOfFile(path), title_from_file: title === undefined, draft: isDraft }
  return await client.create(ticket, fields, file.type)
}

type Following = {
  path: string
  show: (state: PublishState) => void
  status: StatusLine
  output: Pick<Terminal, 'write'>
  signal: AbortSignal | undefined
}

async function follow(
  client: PublicationClient,
  created: Publication,
  { path, show, status, output, signal }: Following,
) {
  let isWritten = false
  return await followRendering(
    client,
    created,
    (publication) => {
      const { status: stage, public_url, failure, page_count, pages_ready } = publication
      show({ step: 'rendering', pages: page_count, readyPages: pages_ready })
      if (stage === 'failed')
        throw new FileError(`${path}: no page could be rendered: ${failure?.detail ?? 'no reason given'}`)
      if (stage !== 'ready' || isWritten) return
      isWritten = true
      status.interrupt(() => output.write(`${public_url}\n`))
    },
    signal,
  )
}

function failedPages({ failed_pages = [] }: Publication): string {
  const lines = failed_pages
    .slice(0, NAMED_PAGES)
    .map(({ page, reason }) => `Page ${page} could not be rendered: ${reason}`)
  if (failed_pages.length > NAMED_PAGES) lines.push(`… and ${failed_pages.length - NAMED_PAGES} more pages`)
  return lines.map((line) => `${line}\n`).join('')
}
