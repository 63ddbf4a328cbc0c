import { isUnderWay, type Upload } from './upload-queue.ts'

/** The totals of several uploads. */
export type UploadTotals = { all: number; underWay: number; done: number; failed: number; percent: number }

/** Returns the progress of several uploads in bytes. A failed file counts as done. */
export function uploadTotals(uploads: readonly Pick<Upload, 'file' | 'phase' | 'sentBytes'>[]): UploadTotals {
  const bytes = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const behind = uploads.reduce((sum, upload) => sum + (isUnderWay(upload) ? upload.sentBytes : upload.file.size), 0)
  return {
    all: uploads.length,
    underWay: uploads.filter(isUnderWay).length,
    done: uploads.filter(({ phase }) => phase === 'done').length,
    failed: uploads.filter(({ phase }) => phase === 'failed').length,
    percent: bytes === 0 ? 100 : Math.floor((100 * Math.min(behind, bytes)) / bytes),
  }
}
