import { FIRST_IMAGE, imageForm, PAGE_WIDTH } from '../../domain/image-forms.ts'
import { encodeImage } from '../pages/encode-images.ts'
import type { StoredContent } from '../pages/stored-content.ts'
import type { Renderer } from '../threads/renderer.ts'

/** A page with the first of its images. */
export type PreparedPage = { image: Uint8Array; content: StoredContent }

/**
 * Renders the first page of a document ahead of its publication, with its first image; undefined if the page cannot be
 * rendered in the time that this may take. Rejects with the `PdfError` `closed`.
 */
export async function renderFirstPage(
  renderer: Pick<Renderer, 'renderPages'>,
  path: string,
  wanted: Promise<void>,
): Promise<PreparedPage | undefined> {
  let prepared: PreparedPage | undefined
  const { finished } = renderer.renderPages(path, [1], {
    width: PAGE_WIDTH,
    wanted,
    async onPage(result) {
      if (result.failed !== undefined) return
      const { image, content } = result
      const { format, width } = imageForm(FIRST_IMAGE)!
      const { bytes } = await encodeImage(image, format, Math.min(width, image.width))
      result.free()
      prepared = { image: bytes, content: content! }
    },
  })
  await finished
  return prepared
}
