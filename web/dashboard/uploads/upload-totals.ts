import { isUnderWay, type Upload } from './upload-queue.ts'

/** Several files together. */
export type UploadTotals = { all: number; underWay: number; done: number; failed: number; percent: number }

/** How far files are together: by their bytes, of which those of a file that failed are behind one as well. */
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
