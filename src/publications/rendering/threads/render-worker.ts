import { parentPort, workerData } from 'node:worker_threads'
import { readFacts } from '../pages/document-facts.ts'
import { renderPage } from '../pages/render-page.ts'
import { type FileSource, openFileSource } from '../pdfium/file-source.ts'
import { loadPdfium } from '../pdfium/load-pdfium.ts'
import { openPdf, type PdfDocument } from '../pdfium/pdf-document.ts'
import { PdfError } from '../pdfium/pdf-error.ts'
import { provideFonts } from '../pdfium/provide-fonts.ts'
import { READY, type RenderReply, type RenderRequest, type RenderWorkerData } from './render-messages.ts'

// A worker thread that renders pages. It is expendable: its owner ends it when it takes too long, and it reports when it
// is broken. It keeps the last document open, because the next page is usually one of the same.

const port = parentPort!
const { module, maxMemoryBytes, fonts } = workerData as RenderWorkerData
const pdfium = await loadPdfium({ module, maxMemoryBytes })
provideFonts(pdfium, fonts)
let open: { path: string; source: FileSource; document: PdfDocument } | undefined

port.on('message', (request: RenderRequest) => {
  if (request.kind === 'release') return release()
  const reply = { ...answer(request), memoryBytes: pdfium.memory.buffer.byteLength } as RenderReply
  port.postMessage(reply, 'rendered' in reply ? [reply.rendered.image.data.buffer] : [])
})
port.postMessage(READY)

function answer(request: Exclude<RenderRequest, { kind: 'release' }>) {
  try {
    const { document, source } = documentAt(request.path)
    if (request.kind === 'inspect') return { facts: readFacts(document, source, request.maxPages) }
    return { rendered: renderPage(document, request.page, request.width) }
  } catch (error) {
    return failure(error)
  }
}

function documentAt(path: string) {
  if (open?.path === path) return open
  release()
  const source = openFileSource(path)
  open = { path, source, document: openPdf(pdfium, source) }
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
