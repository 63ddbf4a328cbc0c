import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hasStatus } from '../api/api-error.ts'
import { queryKeys } from '../api/query-keys.ts'
import { type FileImport, importQueue, isUnderWay } from './import-queue.ts'

/** Files after which lists are loaded again while more are under way. */
const DONE_PER_REFRESH = 10

/** Returns the imports of this window. */
export function useImports(): readonly FileImport[] {
  return useSyncExternalStore(importQueue.subscribe, importQueue.list)
}

/** Refetches what imports change, and warns before leaving the page interrupts one. */
export function useImportEffects(): void {
  const client = useQueryClient()
  const imports = useImports()
  const isBusy = imports.some(isUnderWay)
  const isSignedOut = imports.some(({ error }) => hasStatus(error, 401))
  const doneCount = imports.filter(({ phase }) => phase === 'done').length
  const refreshCount = isBusy ? Math.floor(doneCount / DONE_PER_REFRESH) : doneCount

  useEffect(() => {
    const events = new Set(importQueue.list().map(({ eventId }) => eventId))
    if (refreshCount > 0) {
      for (const eventId of events) void client.invalidateQueries({ queryKey: queryKeys.event(eventId) })
    }
  }, [client, refreshCount])

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
