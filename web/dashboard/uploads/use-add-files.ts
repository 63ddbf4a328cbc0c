import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../api/settings.ts'
import { titleOfFile } from './rejected-file.ts'
import { uploadQueue } from './upload-queue.ts'

/** Returns the server's size limit; infinity until it is known, which leaves the check to the server. */
export function useUploadLimitBytes(): number {
  return useQuery(settingsQuery).data?.max_upload_bytes ?? Number.POSITIVE_INFINITY
}

/** Returns a function that uploads files to a workspace. Each becomes a publication, as a draft an unpublished one. */
export function useAddFiles(workspaceId: string, isDraft: boolean): (files: File[]) => void {
  const limitBytes = useUploadLimitBytes()
  return (files) => {
    for (const file of files) {
      uploadQueue.add(workspaceId, file, { fileName: titleOfFile(file.name), isDraft }, limitBytes)
    }
  }
}
