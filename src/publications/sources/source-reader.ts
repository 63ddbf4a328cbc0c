import { AppError, unavailable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { sourceRefused } from '../model/errors.ts'
import type { MadePdf, MakePdfTask, SourceRefusal } from './make-pdf-worker.ts'
import type { PageText } from './text-layer.ts'
import type { LayTextTask } from './text-layer-worker.ts'

const MAX_THREADS = 2
const IDLE_MS = 5_000
const MAX_HEAP_MB = 256
/** Sources that wait for a thread: as many as one workspace may upload at once. */
const MAX_WAITING = 64
/** Five thousand photographs take one minute; two hundred pages to be encoded anew, one as well. */
const TIME_LIMIT_MS = 300_000

const REASONS: Record<SourceRefusal | 'timed_out', string> = {
  not_images: 'The file is no ZIP file, and no JPEG, PNG, WebP, AVIF or TIFF picture.',
  no_images: 'The file contains no pictures.',
  damaged: 'The file is damaged.',
  encrypted: 'The file opens only with a password.',
  too_many_files: 'The file contains too many files.',
  unpacks_too_large: 'The file contains too much to unpack.',
  too_many_pixels: 'The picture has more than 100 million pixels.',
  too_many_pages: 'The file has more pages than are allowed.',
  pdf_too_large: 'The PDF made of the pages would be larger than this server accepts.',
  timed_out: 'The file took too long to read.',
}

/** Makes PDFs of archives and pictures in threads that end if a file takes more time or memory than any needs. */
export type SourceReader = ReturnType<typeof createSourceReader>

export function createSourceReader() {
  const pool = threadPool<MakePdfTask, MadePdf>(new URL('./make-pdf-worker.ts', import.meta.url), {
    run: 'makePdf',
    maxThreads: MAX_THREADS,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  const textPool = threadPool<LayTextTask, PageText[]>(new URL('./text-layer-worker.ts', import.meta.url), {
    run: 'layText',
    maxThreads: 1,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  return {
    /**
     * Makes a PDF of a file of pictures. Returns its size and SHA-256.
     * @throws sourceRefused with a `reason`; unavailable if too many files wait
     */
    async makePdf(task: MakePdfTask): Promise<{ size: number; sha256: string }> {
      if (pool.waiting >= MAX_WAITING) throw unavailable()
      const timeLimit = AbortSignal.timeout(TIME_LIMIT_MS)
      const made = await pool.run(task, { signal: timeLimit }).catch((cause) => {
        if (cause instanceof AppError) throw cause
        throw refused(timeLimit.aborted ? 'timed_out' : 'damaged', cause)
      })
      if ('refusal' in made) throw refused(made.refusal)
      return made
    },
    /** Returns the text of pages as a PDF has it. */
    layText: (pages: LayTextTask): Promise<PageText[]> => textPool.run(pages),
    close: async () => void (await Promise.all([pool.destroy(), textPool.destroy()])),
  }
}

function refused(reason: SourceRefusal | 'timed_out', cause?: unknown): AppError {
  return sourceRefused({ detail: REASONS[reason], members: { reason }, cause })
}
