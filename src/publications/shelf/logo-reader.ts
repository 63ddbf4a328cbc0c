import { createHash } from 'node:crypto'
import { AppError, unavailable } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { logoRefused } from '../model/errors.ts'
import type { Logo } from '../model/faces-store.ts'
import type { LogoRefusal, ReadLogo } from './logo-worker.ts'

/** Size of the file of a logo. */
export const MAX_LOGO_BYTES = 2_097_152

const IDLE_MS = 5_000
const MAX_HEAP_MB = 128
const MAX_WAITING = 8
/** Time limit for one picture, after which the thread is ended. */
const TIME_LIMIT_MS = 30_000

const REASONS: Record<LogoRefusal, string> = {
  not_an_image: 'The file is no PNG, JPEG or WebP image.',
  damaged: 'The image is damaged, or takes too long to read.',
  too_large: 'The image has more than 25 million pixels.',
}

/** Reads logos in a thread that ends if one takes more memory or time than any needs. */
export type LogoReader = ReturnType<typeof createLogoReader>

export function createLogoReader() {
  const pool = threadPool<Uint8Array, ReadLogo | { refusal: LogoRefusal }>(
    new URL('./logo-worker.ts', import.meta.url),
    { run: 'readLogo', maxThreads: 1, idleMs: IDLE_MS, heapMb: MAX_HEAP_MB },
  )
  return {
    /** Returns a logo as it is stored. @throws logoRefused with a `reason`; unavailable if too many files wait */
    async read(bytes: Uint8Array): Promise<Logo> {
      if (pool.waiting >= MAX_WAITING) throw unavailable()
      const read = await pool.run(bytes, { signal: AbortSignal.timeout(TIME_LIMIT_MS) }).catch((cause) => {
        if (cause instanceof AppError) throw cause
        throw refused('damaged', cause)
      })
      if ('refusal' in read) throw refused(read.refusal)
      const { png, width, height } = read
      return { bytes: png, sha256: createHash('sha256').update(png).digest('hex'), width, height }
    },
    close: () => pool.destroy(),
  }
}

function refused(reason: LogoRefusal, cause?: unknown) {
  return logoRefused({ detail: REASONS[reason], members: { reason }, cause })
}
