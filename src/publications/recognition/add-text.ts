import { createHash } from 'node:crypto'
import { type BlobDraft, BlobExistsError, type BlobStore } from '#platform/blobs/blob-store.ts'
import { textKey } from '../model/files-store.ts'
import { readPicturesPdf } from '../rendering/pages/pictures-pdf.ts'
import { openFileSource } from '../rendering/pdfium/pdf-document.ts'
import type { RenderWorkDeps } from '../rendering/render-work-deps.ts'
import type { SourceReader } from '../sources/source-reader.ts'
import { type PageText, textUpdate } from '../sources/text-layer.ts'
import type { RecognitionStore, VersionToRecognize } from './store.ts'

/** Pages whose words are read and laid out at a time: some megabytes at most. */
const PAGES_AT_ONCE = 16

type Deps = {
  store: RecognitionStore
  sourceReader: SourceReader
  localDocuments: RenderWorkDeps['localDocuments']
  blobs: BlobStore
  now: () => number
}

/**
 * Stores the recognised text of a PDF that was made of images, as bytes that follow its file: readers get both, and
 * viewers find and select the words. The file itself stays as it is. Ends the recognition of the version.
 * @throws Error if the file is not as it was made; UNAVAILABLE of the store
 */
export async function addRecognizedText(deps: Deps, { id, blobKey }: VersionToRecognize): Promise<void> {
  const { store, sourceReader, localDocuments, blobs, now } = deps
  await using document = await localDocuments.localDocument(blobKey)
  const source = openFileSource(document.path)
  using _ = { [Symbol.dispose]: source.close }
  const pdf = readPicturesPdf(source)
  if (pdf === undefined) throw new Error('The PDF is not one that was made of images here')
  const hash = createHash('sha256')

  async function* texts(): AsyncGenerator<PageText> {
    for (let last = 0; ; ) {
      const rows = await store.listRecognized(id, last, PAGES_AT_ONCE)
      if (rows.length === 0) return
      last = rows[rows.length - 1].page
      const sized = rows.flatMap(({ page, words }) => {
        const size = pdf!.page(page)
        return size === undefined ? [] : [{ page, words, widthPt: size.widthPt, heightPt: size.heightPt }]
      })
      yield* await sourceReader.layText(sized)
    }
  }

  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const bytes of textUpdate(pdf!, texts())) {
      hash.update(bytes)
      yield bytes
    }
  }

  await using draft = await blobs.draft(hashed())
  await commit(draft, textKey(id))
  const text = { size: draft.size, sha256: hash.digest('hex') }
  if ((await store.finish(id, now(), text)) === 'gone') await blobs.delete(textKey(id))
}

/** A process that ended before it could tell has left the same bytes: the same words give the same text. */
async function commit(draft: BlobDraft, key: string): Promise<void> {
  try {
    await draft.commit(key)
  } catch (error) {
    if (!(error instanceof BlobExistsError)) throw error
    await draft.replace(key)
  }
}
