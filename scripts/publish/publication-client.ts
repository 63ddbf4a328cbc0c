import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openExchange } from './exchange.ts'
import { type FileToUpload, type SourceType, uploadFile } from './upload-file.ts'

export type UploadTicket = { uploadUrl: string; storageKey: string; pdfPath: string }

/** The members of the API's publication that are used here. */
export type Publication = {
  slug: string
  status: 'processing' | 'ready' | 'failed'
  page_count: number
  pages_ready: number
  public_url: string
  failure?: { code: string; detail: string } | null
  failed_pages?: { page: number; reason: string }[]
}

/** Fields of a new publication. With `title_from_file`, `title` is for a file that states none. */
export type NewPublication = { title: string; title_from_file?: boolean; draft?: boolean }

/** Creates a client with one function per step of publishing. They throw RefusedError and UnreachableError. */
export type PublicationClient = {
  askForTicket(type?: SourceType): Promise<UploadTicket>
  upload(ticket: UploadTicket, file: FileToUpload, onBytes: (bytes: number) => void): Promise<void>
  create(ticket: UploadTicket, fields: NewPublication, type?: SourceType): Promise<Publication>
  read(slug: string): Promise<Publication>
  images(slug: string): Promise<string[]>
}

export function publicationClient(server: string, apiKey: string, signal?: AbortSignal): PublicationClient {
  const exchange = openExchange(server, apiKey, signal)
  return {
    askForTicket: (type = 'pdf') =>
      exchange({ method: 'POST', path: '/publications/upload-url', json: { type }, what: 'an upload ticket' }),

    upload: (ticket, file, onBytes) => uploadFile(ticket.uploadUrl, file, onBytes, signal),

    create: ({ storageKey, pdfPath }, fields, type = 'pdf') =>
      exchange({
        method: 'POST',
        path: '/publications',
        json: { ...fields, storageKey, pdfPath, sourceType: type },
        // Repeats a lost response instead of creating a second publication.
        headers: { 'Idempotency-Key': randomUUID() },
        what: 'the publication',
      }),

    read: (slug) => exchange({ path: `/publications/${slug}`, what: 'to show the publication' }),

    async images(slug) {
      const path = `/publications/${slug}/images`
      return (await exchange<{ images: string[] }>({ path, what: 'to list the images' })).images
    },
  }
}

const FIRST_WAIT_MS = 100
/** Interval of updates. Dozens of pages per second may arrive, but nobody reads faster than this. */
const LONGEST_WAIT_MS = 500

/** Reports that no further progress will follow. */
export function isRendered({ status, page_count, pages_ready }: Publication): boolean {
  return status === 'failed' || (status === 'ready' && pages_ready >= page_count)
}

/**
 * Polls a publication until all its pages are finished, and returns it. Calls `onProgress` each time.
 * @throws AbortError, and errors of the request and of `onProgress`
 */
export async function followRendering(
  client: Pick<PublicationClient, 'read'>,
  created: Publication,
  onProgress: (publication: Publication) => void,
  signal?: AbortSignal,
): Promise<Publication> {
  let publication = created
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    onProgress(publication)
    if (isRendered(publication)) return publication
    await wait(waitMs, undefined, { signal })
    publication = await client.read(created.slug)
  }
}
