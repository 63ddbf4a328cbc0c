import type { DocumentFacts } from '../../domain/document-facts.ts'
import type { RenderedPage } from '../pages/render-page.ts'
import type { FallbackFont } from '../pdfium/fallback-fonts.ts'
import type { PdfErrorCode } from '../pdfium/pdf-error.ts'

/** The data that a worker is started with. */
export type RenderWorkerData = { module: WebAssembly.Module; maxMemoryBytes: number; fonts: FallbackFont[] }

/** A request to a worker, one at a time. `release` closes the document that it keeps open, and is not answered. */
export type RenderRequest =
  | { kind: 'inspect'; path: string; maxPages: number }
  | { kind: 'render'; path: string; page: number; width: number }
  | { kind: 'release' }

/** The answer to a request. After `isBroken` the worker must be discarded. */
export type RenderReply = { memoryBytes: number } & (
  | { facts: DocumentFacts }
  | { rendered: RenderedPage }
  | { failed: PdfErrorCode; isBroken: boolean }
  | { error: string }
)

/** The first message of a worker, sent when it accepts requests. */
export const READY = 'ready'
