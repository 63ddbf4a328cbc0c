import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { settingsQuery } from '../api/queries.ts'
import { aboutKey } from '../api/query-client.ts'
import { useTransferEffects } from '../components/transfer-queue.ts'
import {
  operatorGetWorkspaceQueryKey,
  operatorListPublicationsQueryKey,
  operatorListWorkspacesQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import { titleOfFile } from './upload-errors.ts'
import { type Upload, uploadQueue } from './upload-queue.ts'

/** Refetches the answers that uploads change. */
export function useUploadEffects(): void {
  const client = useQueryClient()
  useTransferEffects(uploadQueue)
  useEffect(
    () =>
      uploadQueue.onDone(({ workspaceId, publication }) => {
        void client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }) })
        void client.invalidateQueries({
          queryKey: operatorGetWorkspaceQueryKey({ path: { id: workspaceId } }),
          exact: true,
        })
        void client.invalidateQueries({ queryKey: operatorListWorkspacesQueryKey() })
        if (publication !== undefined) void client.invalidateQueries({ queryKey: aboutKey(publication.id) })
      }),
    [client],
  )
}

/** Returns the server's size limit; infinity until it is known, which leaves the check to the server. */
export function useUploadLimitBytes(): number {
  return useQuery(settingsQuery).data?.max_upload_bytes ?? Number.POSITIVE_INFINITY
}

/** Returns a function that uploads files to a workspace. Each becomes a publication, or a draft. */
export function useAddFiles(workspaceId: string, isDraft: boolean): (files: File[]) => void {
  const limitBytes = useUploadLimitBytes()
  return (files) => {
    for (const file of files) {
      uploadQueue.add(workspaceId, file, { fileName: titleOfFile(file.name), isDraft }, limitBytes)
    }
  }
}

/**
 * Checks whether the page at an address shows an upload itself: the library shows new files, and a publication its
 * replacement.
 */
export function isShownInPlace({ workspaceId, purpose }: Upload, pathname: string) {
  const place = !('replacedId' in purpose) ? `/workspaces/${workspaceId}` : `/publications/${purpose.replacedId}`
  return pathname.replace(/\/$/, '') === place
}
