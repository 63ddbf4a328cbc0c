import { ApiError } from '../api/api-error.ts'
import { type ErrorMessage, errorMessage } from '../components/error-message.ts'
import type { Key } from '../i18n/en.ts'

/** The texts for the server's codes: why a document cannot be opened or a page cannot be rendered. */
const REASONS: Record<string, Key> = {
  not_a_pdf: 'refused.not_a_pdf',
  is_picture: 'refused.is_picture',
  password_required: 'refused.password_required',
  encryption_unsupported: 'refused.encryption_unsupported',
  no_pages: 'refused.no_pages',
  too_many_pages: 'refused.too_many_pages',
  page_damaged: 'refused.page_damaged',
  timed_out: 'refused.timed_out',
  out_of_memory: 'refused.out_of_memory',
  crashed: 'refused.crashed',
  not_images: 'refused.not_images',
  no_images: 'refused.no_images',
  damaged: 'refused.damaged',
  encrypted: 'refused.password_required',
  too_many_files: 'refused.too_many_pages',
  unpacks_too_large: 'refused.unpacks_too_large',
  too_many_pixels: 'refused.too_many_pixels',
  pdf_too_large: 'refused.unpacks_too_large',
}

/** Returns the text for a code. */
export function reasonKey(code: string): Key {
  return REASONS[code] ?? 'refused.crashed'
}

/** Returns the message for a failed upload. `limit` is the formatted size limit. */
export function uploadErrorMessage(error: unknown, limit: string): ErrorMessage {
  if (error instanceof RejectedFile) return ownWords(error, limit)
  if (!(error instanceof ApiError)) return errorMessage(error)
  const { status, problem } = error
  // Without a reason, it is refused by its first bytes, before it is opened.
  if (status === 422) return { key: problem?.reason === undefined ? 'refused.other_type' : reasonKey(problem.reason) }
  if (status === 413) return { key: 'upload.tooLarge', values: { limit } }
  if (status === 404) return { key: 'upload.workspaceGone' }
  if (status === 409) return { key: 'upload.taken' }
  return errorMessage(error)
}

function ownWords({ why }: RejectedFile, limit: string): ErrorMessage {
  if (why === 'tooLarge') return { key: 'upload.tooLarge', values: { limit } }
  return { key: why === 'empty' ? 'upload.empty' : 'refused.unknown_type' }
}

/** Checks whether a retry may help, which it cannot for a file that is always refused. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof RejectedFile) && !(error instanceof ApiError && [413, 422].includes(error.status))
}

/** The reason why a file is not sent. */
type RejectionReason = 'unknownType' | 'empty' | 'tooLarge'

/** A file that the server would refuse. */
export class RejectedFile extends Error {
  readonly why: RejectionReason

  constructor(why: RejectionReason) {
    super(why)
    this.name = 'RejectedFile'
    this.why = why
  }
}

/** Returns the reason to refuse a file, as far as its name and size tell; undefined if they tell none. */
export function rejectionReason(file: File, limitBytes: number): RejectionReason | undefined {
  if (sourceOf(file) === undefined) return 'unknownType'
  if (file.size === 0) return 'empty'
  return file.size > limitBytes ? 'tooLarge' : undefined
}

const IMAGES = /\.(?:zip|cbz|jpe?g|png|webp|avif|tiff?)$/i

/** Returns the source that a file is, by its name and type, and the type to send it with; undefined if it is none. */
export function sourceOf({ name, type }: File): { source: 'pdf' | 'images'; type: string } | undefined {
  if (type === 'application/pdf' || /\.pdf$/i.test(name)) return { source: 'pdf', type: 'application/pdf' }
  if (!IMAGES.test(name)) return undefined
  return { source: 'images', type: /^image\/(?:jpeg|png|webp|avif|tiff)$/.test(type) ? type : 'application/zip' }
}

/** Returns the title of a publication whose file states none: the file's name in readable form. */
export function titleOfFile(name: string): string {
  const title = name
    .replace(/\.pdf$/i, '')
    .replace(IMAGES, '')
    .replaceAll('_', ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return (title || name).slice(0, 200)
}
