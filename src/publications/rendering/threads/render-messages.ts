import type { ThreadEnd } from '#platform/basics/thread-end.ts'
import type { DocumentFacts } from '../../model/document-content.ts'
import type { PageImage, StoredContent } from '../pages/render-page.ts'
import type { FallbackFont } from '../pdfium/fallback-fonts.ts'
import type { PdfErrorCode } from '../pdfium/pdf-error.ts'

/** The data that a worker is started with; `isFirst` for the first worker of the process. */
export type RenderWorkerData = {
  module: WebAssembly.Module
  maxMemoryBytes: number
  fonts: FallbackFont[]
  isFirst: boolean
  threadEnd: ThreadEnd
}

/** A page as a worker sends it: its image, in the given bitmap if it fits, and, on request, its content. */
export type DrawnPage = { image: PageImage; content?: StoredContent }

/** A request to a worker, one at a time. `release` closes the document that it keeps open, and is not answered. */
export type RenderRequest =
  | { kind: 'inspect'; path: string; maxPages: number }
  | { kind: 'attachment'; path: string; id: string }
  | { kind: 'render'; path: string; page: number; width: number; hasContent: boolean; bitmap?: SharedArrayBuffer }
  | { kind: 'release' }

/** The answer to a request. After `isBroken` the worker must be discarded. */
export type RenderReply = { memoryBytes: number } & (
  | { facts: DocumentFacts }
  | { rendered: DrawnPage }
  | { attached: Uint8Array<ArrayBuffer> | undefined }
  | { failed: PdfErrorCode; isBroken: boolean }
  | { error: string }
)

/** The first message of a worker, sent when it accepts requests. */
export type Ready = 'ready'
