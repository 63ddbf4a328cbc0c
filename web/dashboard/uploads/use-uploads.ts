import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hasStatus } from '../api/api-error.ts'
import { queryKeys } from '../api/query-keys.ts'
import { isUnderWay, type Upload, uploadQueue } from './upload-queue.ts'

/** Returns the uploads of this window. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploadQueue.subscribe, uploadQueue.list)
}

/** Refetches what uploads change, and warns before leaving the page interrupts one. */
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

  // After signing in again, the operator finds the files here and can retry.
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
