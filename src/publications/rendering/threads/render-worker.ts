import { parentPort, workerData } from 'node:worker_threads'
import { beforeEnd } from '#platform/basics/thread-end.ts'
import { PAGE_WIDTH } from '../../model/image-forms.ts'
import { readAttachedFile } from '../pages/comments.ts'
import { readFacts } from '../pages/document-facts.ts'
import { showInFewGreys } from '../pages/encode-images.ts'
import { drawPicture, type PicturesPdf, readPicturesPdf } from '../pages/pictures-pdf.ts'
import { drawPage, renderPage, storedContent } from '../pages/render-page.ts'
import { provideFonts } from '../pdfium/fallback-fonts.ts'
import { loadPdfium, warmUpDocument } from '../pdfium/load-pdfium.ts'
import {
  bytesSource,
  type FileSource,
  openFileSource,
  openPdf,
  type PdfDocument,
  withPage,
} from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import type { DrawnPage, Ready, RenderReply, RenderRequest, RenderWorkerData } from './render-messages.ts'

// A worker thread that renders pages. It is expendable: its owner ends it when it takes too long, and it reports when
// it is broken. It keeps the last document open, because the next page is usually one of the same.

/**
 * A thread that is started ahead of a document warms up if no request has come by then; one that waits comes at once.
 */
const WARM_UP_AFTER_MS = 10

const port = parentPort!
const { module, maxMemoryBytes, fonts, isFirst, threadEnd } = workerData as RenderWorkerData
const pdfium = await loadPdfium({ module, maxMemoryBytes })
provideFonts(pdfium, fonts)
type OpenDocument = { path: string; source: FileSource; document: PdfDocument; pictures: PicturesPdf | undefined }
let open: OpenDocument | undefined

port.on('message', async (request: RenderRequest) => {
  clearTimeout(warmUpTimer)
  if (request.kind === 'release') return release()
  const reply = { ...(await answer(request)), memoryBytes: pdfium.memory.buffer.byteLength } as RenderReply
  port.postMessage(reply, buffersOf(reply))
})
port.postMessage('ready' satisfies Ready)
// Threads share the compiled code, so that the first one warms up for all. Measured: opening a
// document and drawing its first page, with a large picture, takes 150 ms in place of 215.
const warmUpTimer = isFirst ? setTimeout(warmUp, WARM_UP_AFTER_MS) : undefined

function warmUp() {
  const source = bytesSource(beforeEnd(threadEnd, warmUpDocument))
  const document = openPdf(pdfium, source)
  readFacts(document, source, 1)
  encoded(renderPage(document, 1, PAGE_WIDTH))
  document.close()
}

async function answer(request: Exclude<RenderRequest, { kind: 'release' }>) {
  try {
    const { document, source, pictures } = documentAt(request.path)
    if (request.kind === 'inspect') return { facts: readFacts(document, source, request.maxPages) }
    if (request.kind === 'attachment') return { attached: readAttachedFile(document, request.id) }
    return { rendered: (pictures && (await drawOnlyPicture(pictures, request))) ?? draw(document, request) }
  } catch (error) {
    return failure(error)
  }
}

/**
 * Content is encoded here: thousands of words and boxes would take the main thread longer to receive than to encode.
 */
function draw(
  document: PdfDocument,
  { page, width, hasContent, bitmap }: RenderRequest & { kind: 'render' },
): DrawnPage {
  if (!hasContent) {
    return { image: withPage(document, page, (pointer) => showInFewGreys(drawPage(document, pointer, width, bitmap))) }
  }
  const { image, ...text } = renderPage(document, page, width, bitmap)
  return { image, content: encoded(text) }
}

/** A page that is a picture has no text, and is drawn without PDFium. */
async function drawOnlyPicture(
  pictures: PicturesPdf,
  { page, width, hasContent, bitmap }: RenderRequest & { kind: 'render' },
): Promise<DrawnPage | undefined> {
  const image = await drawPicture(pictures, page, width, bitmap)
  if (image === undefined) return undefined
  if (!hasContent) return { image: showInFewGreys(image) }
  return { image, content: encoded({ words: [], links: [], comments: [], isTruncated: false }) }
}

function encoded(content: Parameters<typeof storedContent>[0]) {
  return beforeEnd(threadEnd, () => storedContent(content))
}

function buffersOf(reply: RenderReply): ArrayBuffer[] {
  const bytes =
    'rendered' in reply
      ? [reply.rendered.image.data, reply.rendered.content?.words]
      : ['attached' in reply ? reply.attached : undefined]
  return bytes.map((each) => each?.buffer).filter((buffer) => buffer instanceof ArrayBuffer)
}

function documentAt(path: string) {
  if (open?.path === path) return open
  release()
  const source = openFileSource(path)
  open = { path, source, document: openPdf(pdfium, source), pictures: readPicturesPdf(source) }
  return open
}

function release() {
  const closing = open
  open = undefined
  closing?.document.close()
}

/** A refused document or a missing file leaves the instance intact; after any other failure it cannot be trusted. */
function failure(error: unknown) {
  const isRefusal = error instanceof PdfError && error.code !== 'out_of_memory'
  if (isRefusal) return { failed: error.code, isBroken: false }
  if (error instanceof Error && 'syscall' in error) return { error: error.message }
  return { failed: pdfium.hasRunOutOfMemory() ? 'out_of_memory' : 'crashed', isBroken: true }
}
