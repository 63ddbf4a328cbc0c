import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { threadPool } from '#platform/basics/thread-pool.ts'
import { type Finding, findingsOf } from '#platform/doctor/finding.ts'
import type { StoredContent } from '../rendering/pages/render-page.ts'
import type { RecognitionTask } from './recognition-worker.ts'

/** Measured: a dense page takes 5 seconds of an idle core, and one of a newspaper 20. */
const TIME_LIMIT_MS = 120_000

/** The thread ends soon, because its engine and languages take 150 MB. */
const IDLE_MS = 10_000
const MAX_HEAP_MB = 128

/** A page that cannot be recognised, however often that is tried. */
export class UnreadablePageError extends Error {
  constructor() {
    super('The page took too long to recognise')
    this.name = 'UnreadablePageError'
  }
}

/** Codes of languages in tags and in the packages of their data. Others are recognised with `OCR_LANGUAGES`. */
const CODES: Record<string, string> = {
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  en: 'eng',
  es: 'spa',
  fi: 'fin',
  fr: 'fra',
  hu: 'hun',
  it: 'ita',
  la: 'lat',
  nl: 'nld',
  no: 'nor',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  sv: 'swe',
  tr: 'tur',
}

type PageToRecognize = Omit<RecognitionTask, 'languages'> & {
  /** Tags of languages. */
  stated?: string
  detectedLanguage?: string
}

function codeOf(tag = ''): string[] {
  return [CODES[tag.split('-')[0].toLowerCase()] ?? '']
}

/** Recognises text in a thread, one page at a time, with the data of languages from installed packages. */
export type TextRecognizer = NonNullable<ReturnType<typeof createTextRecognizer>>

/**
 * Creates a recogniser; undefined if its package, or the data of all these languages, is not installed.
 *
 * @param codes - languages of documents that state none, such as `eng`
 */
export function createTextRecognizer(codes: readonly string[], timeLimitMs = TIME_LIMIT_MS) {
  const usual = dataOf(codes)
  if (Object.keys(usual).length === 0 || folderOf('tesseract.js-core') === undefined) return undefined
  const pool = threadPool<RecognitionTask, StoredContent>(new URL('./recognition-worker.ts', import.meta.url), {
    run: 'recognizePage',
    maxThreads: 1,
    idleMs: IDLE_MS,
    heapMb: MAX_HEAP_MB,
  })
  return {
    /**
     * Recognises a page of a document in the language that is stated for it. The language that was detected comes
     * first, and the usual ones after it, because a document may begin in another. The memory of the image moves to
     * the thread.
     * @throws UnreadablePageError for one that takes too long; the reason of the signal; the error of the thread
     */
    async recognize(
      { stated, detectedLanguage, ...page }: PageToRecognize,
      signal: AbortSignal,
    ): Promise<StoredContent> {
      const ofDocument = dataOf(codeOf(stated))
      const isKnown = Object.keys(ofDocument).length > 0
      const languages = isKnown ? ofDocument : { ...dataOf(codeOf(detectedLanguage)), ...usual }
      const timeout = AbortSignal.timeout(timeLimitMs)
      try {
        return await pool.run(
          { ...page, languages },
          { transfer: [page.image.data.buffer], signal: AbortSignal.any([timeout, signal]) },
        )
      } catch (error) {
        signal.throwIfAborted()
        throw timeout.aborted ? new UnreadablePageError() : error
      }
    },

    close: () => pool.destroy(),
  }
}

const { ok, warning } = findingsOf('publications')

/** Looks for the packages of the languages in which scans are recognised. */
export function checkRecognition(isOn: boolean, codes: readonly string[]): Finding {
  if (!isOn) return ok('OCR', 'Text of scans is not recognised.')
  const installed = folderOf('tesseract.js-core') === undefined ? {} : dataOf(codes)
  const missing = codes.filter((code) => !(code in installed))
  if (missing.length === 0) return ok('OCR', `Text of scans is recognised: ${codes.join(', ')}.`)
  const packages = missing.map((code) => `@tesseract.js-data/${code}`).join(' ')
  return warning(
    'OCR_LANGUAGES',
    Object.keys(installed).length === 0
      ? 'Text of scans is not recognised, because its packages are not installed.'
      : `Scans in ${missing.join(', ')} are recognised badly, because data of these languages are not installed.`,
    `Install ${packages}, name other languages, or set OCR=off.`,
  )
}

const require = createRequire(import.meta.url)

function dataOf(codes: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    codes.flatMap((code) => {
      const folder = folderOf(`@tesseract.js-data/${code}`)
      // The smaller of two forms: whole numbers in place of floats, and nothing for the older engine.
      const path = folder && join(folder, '4.0.0_best_int', `${code}.traineddata.gz`)
      return path && existsSync(path) ? [[code, path]] : []
    }),
  )
}

/** Returns the folder of an installed package. */
function folderOf(name: string): string | undefined {
  try {
    return dirname(require.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}
