import { open, readFile } from 'node:fs/promises'
import { FORMAT_BYTES, pictureFormat } from '#platform/basics/load-sharp.ts'
import { walkXml } from '#platform/basics/walk-xml.ts'
import { type ArchivedFile, ArchiveError, type ArchiveRefusal, openPageArchive } from './page-archive.ts'
import { PagesPdf, type SourceStatements } from './pages-pdf.ts'
import { PictureError, readPicture } from './read-picture.ts'

/** A file of pictures, the PDF to make of it, and limits on its pages and bytes. */
export type MakePdfTask = { source: string; target: string; maxPages: number; maxBytes: number }

/** Reasons to refuse a file of pictures as a whole. */
export type SourceRefusal =
  | ArchiveRefusal
  | PictureError['reason']
  | 'not_images'
  | 'no_images'
  | 'too_many_pages'
  | 'pdf_too_large'

/** The PDF that was made, or the reason why none was. */
export type MadePdf = { size: number; sha256: string } | { refusal: SourceRefusal }

// The thread that unpacks archives and decodes pictures: files of strangers, so that it is expendable.

/** Makes a PDF of the pages of a ZIP file or of one picture, told from each other by their first bytes. */
export async function makePdf(task: MakePdfTask): Promise<MadePdf> {
  await using target = await open(task.target, 'w', 0o600)
  const pdf = new PagesPdf(target)
  const pages = new AddedPages(pdf, task)
  try {
    await pdf.begin()
    const statements = await addSource(task.source, pages)
    return pages.refusal() ?? (await pdf.finish(statements))
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof Refused) return { refusal: error.reason }
    throw error
  }
}

class Refused extends Error {
  readonly reason: SourceRefusal

  constructor(reason: SourceRefusal) {
    super(`The source is refused: ${reason}`)
    this.reason = reason
  }
}

async function addSource(source: string, pages: AddedPages): Promise<SourceStatements> {
  const head = await readHead(source)
  if (head.subarray(0, 2).toString('latin1') === 'PK') return await addArchive(source, pages)
  const format = pictureFormat(head)
  if (format === undefined) throw new Refused('not_images')
  await pages.addPicture(await readFile(source))
  return {}
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FORMAT_BYTES), 0, FORMAT_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

const COMIC_INFO = /^(?:.*\/)?comicinfo\.xml$/i
/** A ComicInfo.xml has some kilobytes. */
const MAX_COMIC_INFO_BYTES = 1_000_000

async function addArchive(path: string, pages: AddedPages): Promise<SourceStatements> {
  const archive = await openPageArchive(path)
  let statements: SourceStatements = {}
  try {
    for (const file of archive.files) {
      if (!COMIC_INFO.test(file.name)) await addFile(file, pages)
      else if (file.bytes <= MAX_COMIC_INFO_BYTES) statements = readComicInfo(await readOrEmpty(file, () => true))
    }
    return statements
  } finally {
    archive.close()
  }
}

/** Names by which a file that is no picture says that it was meant as a page. */
const PICTURE_NAME = /\.(?:jpe?g|png|webp|avif|tiff?)$/i

async function addFile(file: ArchivedFile, pages: AddedPages): Promise<void> {
  const bytes = await readOrEmpty(file, isPicture)
  if (isPicture(bytes)) await pages.addPicture(bytes)
  else if (PICTURE_NAME.test(file.name)) pages.addUnreadable('damaged')
}

const isPicture = (head: Uint8Array) => pictureFormat(head) !== undefined

async function readOrEmpty(file: ArchivedFile, isWanted: (head: Uint8Array) => boolean): Promise<Uint8Array> {
  return await file.read(FORMAT_BYTES, isWanted).catch(() => new Uint8Array(0))
}

/** The pages that were added so far, within limits. */
class AddedPages {
  readonly #pdf: PagesPdf
  readonly #task: MakePdfTask
  #readable = 0
  #lastFailure: PictureError['reason'] | undefined

  constructor(pdf: PagesPdf, task: MakePdfTask) {
    this.#pdf = pdf
    this.#task = task
  }

  async addPicture(bytes: Uint8Array): Promise<void> {
    const format = pictureFormat(bytes)!
    const { maxPages, maxBytes } = this.#task
    try {
      for await (const page of readPicture(bytes, format, maxPages)) {
        if (page instanceof PictureError) {
          this.addUnreadable(page.reason)
          continue
        }
        this.#requirePage()
        await this.#pdf.addPage(page)
        this.#readable++
        if (this.#pdf.size > maxBytes) throw new Refused('pdf_too_large')
      }
    } catch (error) {
      if (!(error instanceof PictureError)) throw error
      this.addUnreadable(error.reason)
    }
  }

  addUnreadable(reason: PictureError['reason']): void {
    this.#requirePage()
    this.#lastFailure = reason
    this.#pdf.addUnreadablePage()
  }

  /** Returns the refusal of a source without a page to be seen. */
  refusal(): { refusal: SourceRefusal } | undefined {
    return this.#readable > 0 ? undefined : { refusal: this.#lastFailure ?? 'no_images' }
  }

  #requirePage(): void {
    if (this.#pdf.pageCount >= this.#task.maxPages) throw new Refused('too_many_pages')
  }
}

const MAX_TEXT_LENGTH = 2_000
const ROOT = 'ComicInfo'

/**
 * Reads what a ComicInfo.xml says about a comic: title, or series and number; writer, summary, language, and whether it
 * is read from right to left. Says nothing if the file is broken, or has entities of its own.
 */
function readComicInfo(bytes: Uint8Array): SourceStatements {
  try {
    return statementsOf(readFields(bytes))
  } catch {
    return {}
  }
}

function statementsOf(fields: ReadonlyMap<string, string>): SourceStatements {
  const series = [fields.get('Series'), fields.get('Number')].filter((text) => text !== undefined).join(' ')
  return {
    title: fields.get('Title') ?? (fields.has('Series') ? series : undefined),
    author: fields.get('Writer'),
    description: fields.get('Summary'),
    language: fields.get('LanguageISO'),
    isRightToLeft: fields.get('Manga') === 'YesAndRightToLeft',
  }
}

/** Returns the texts of the elements in the root, one line each. */
function readFields(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>()
  walkXml(bytes, ROOT, {
    close({ name, text }, parents) {
      const words = text.replace(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH)
      if (parents.length === 1 && words !== '') fields.set(name, words)
    },
  })
  return fields
}
