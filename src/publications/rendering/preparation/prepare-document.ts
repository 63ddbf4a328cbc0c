import type { Renderer } from '../threads/renderer.ts'
import { renderFirstPage } from './first-page.ts'
import type { Preparation } from './preparation.ts'

export type PrepareDocumentDeps = {
  renderer: Pick<Renderer, 'inspect' | 'renderPages'>
  /** Opens documents as local files; `await using` releases them. */
  localDocuments: { localDocument(blobKey: string): Promise<AsyncDisposable & { readonly path: string }> }
}

/**
 * Inspects an uploaded document and renders its first page, in the expendable workers and within the limits of
 * work that nobody has asked for. Rejects if the document cannot be opened; the publisher gets the reason,
 * found again, on creating the publication.
 */
export async function prepareDocument(
  { renderer, localDocuments }: PrepareDocumentDeps,
  blobKey: string,
  preparation: Preparation,
): Promise<void> {
  const { wanted } = preparation
  preparation.hasBegun = true
  try {
    await using document = await localDocuments.localDocument(blobKey)
    preparation.inspected(await renderer.inspect(document.path, { wanted }))
    const page = await renderFirstPage(renderer, document.path, wanted)
    if (page !== undefined) preparation.rendered(page)
  } finally {
    preparation.finish()
  }
}
