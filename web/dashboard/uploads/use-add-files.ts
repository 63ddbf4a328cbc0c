import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../api/settings.ts'
import { titleOfFile } from './rejected-file.ts'
import { uploadQueue } from './upload-queue.ts'

/** The largest file that the server takes; infinite as long as that is not known, so that it is the server who says so. */
export function useUploadLimitBytes(): number {
  return useQuery(settingsQuery).data?.max_upload_bytes ?? Number.POSITIVE_INFINITY
}

/** Gives what uploads files to a workspace, each to become a publication called like it. */
export function useAddFiles(workspaceId: string): (files: File[]) => void {
  const limitBytes = useUploadLimitBytes()
  return (files) => {
    for (const file of files) uploadQueue.add(workspaceId, file, { title: titleOfFile(file.name) }, limitBytes)
  }
}
