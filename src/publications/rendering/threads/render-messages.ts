import type { DocumentFacts } from '../../domain/document-facts.ts'
import type { RenderedPage } from '../pages/render-page.ts'
import type { FallbackFont } from '../pdfium/fallback-fonts.ts'
import type { PdfErrorCode } from '../pdfium/pdf-error.ts'

/** What a worker is started with. */
export type RenderWorkerData = { module: WebAssembly.Module; maxMemoryBytes: number; fonts: FallbackFont[] }

/** What a worker is asked to do: one thing at a time. `release` closes the document it keeps open; it is not answered. */
export type RenderRequest =
  | { kind: 'inspect'; path: string; maxPages: number }
  | { kind: 'render'; path: string; page: number; width: number }
  | { kind: 'release' }

/** What comes of it. After `isBroken` the worker can do nothing more. */
export type RenderReply = { memoryBytes: number } & (
  | { facts: DocumentFacts }
  | { rendered: RenderedPage }
  | { failed: PdfErrorCode; isBroken: boolean }
  | { error: string }
)

/** The first message of a worker, as soon as it can be asked. */
export const READY = 'ready'
