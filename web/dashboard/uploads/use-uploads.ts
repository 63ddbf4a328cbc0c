import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hasStatus } from '../api/api-error.ts'
import { queryKeys } from '../api/query-keys.ts'
import { isUnderWay, type Upload, uploadQueue } from './upload-queue.ts'

/** The files that this window uploads, as they stand. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploadQueue.subscribe, uploadQueue.list)
}

/** Keeps the pages up to date with what uploads become, and warns who is about to break one off. */
export function useUploadEffects(): void {
  const client = useQueryClient()
  const uploads = useUploads()
  const isBusy = uploads.some(isUnderWay)
  const isSignedOut = uploads.some(({ error }) => hasStatus(error, 401))

  useEffect(
    () =>
      uploadQueue.onDone(({ workspaceId, publication }) => {
        void client.invalidateQueries({ queryKey: queryKeys.library(workspaceId) })
        void client.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId), exact: true })
        void client.invalidateQueries({ queryKey: queryKeys.workspaces })
        if (publication !== undefined)
          void client.invalidateQueries({ queryKey: queryKeys.publication(publication.id) })
      }),
    [client],
  )

  // Whoever signs in again finds the files here, to be tried again.
  useEffect(() => {
    if (isSignedOut) void client.invalidateQueries({ queryKey: queryKeys.session })
  }, [client, isSignedOut])

  useEffect(() => {
    if (!isBusy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isBusy])
}
