import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { operatorGetBinOptions, operatorListBinnedPublicationsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRestoreEvent, operatorRestorePublication, operatorRestoreTrack } from '../generated/sdk.gen.ts'
import { notify, useNotifyError } from './feedback.tsx'

/** Takes something out of the bin, by its kind. */
export const RESTORE = {
  event: operatorRestoreEvent,
  track: operatorRestoreTrack,
  publication: operatorRestorePublication,
} as const

/** A kind of things that the bin keeps. */
export type BinnedKind = keyof typeof RESTORE

/** Returns the sentence that says, before a deletion, for how long it can be undone; empty until that is known. */
export function useUndoHint(): string {
  const { data } = useQuery(operatorGetBinOptions())
  return useHint(data?.days)
}

/** Returns that sentence for a number of publications of a workspace. */
export function usePublicationsUndoHint(workspaceId: string, number = 1): string {
  const options = operatorListBinnedPublicationsOptions({ path: { id: workspaceId } })
  const { data } = useQuery({ ...options, enabled: number > 0 })
  return useHint(data?.days, number)
}

function useHint(days: number | undefined, number = 1): string {
  const { t } = useTranslation()
  if (days === undefined) return ''
  if (days === 0) return t('bin.hintOff')
  return t(number === 1 ? 'bin.hint' : 'bin.hintMany', { count: days })
}

/** Things that were deleted, by their ids, and the notices of it and of their restoration. */
type Deletion = { ids: readonly string[]; deleted: string; restored: string }

/**
 * Returns a function that says of a deletion that it was done, with a button that undoes it where there is a bin.
 * `workspaceId` is given for publications.
 */
export function useNotifyDeletion(kind: BinnedKind, workspaceId?: string) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  return async ({ ids, deleted, restored }: Deletion): Promise<void> => {
    const days = await daysInBin(client, workspaceId).catch(() => 0)
    if (days === 0) return notify(deleted)
    const undo = async () => {
      try {
        // One after another, the latest deletion first. Items beyond a limit stay in the bin.
        for (const id of ids.toReversed()) await RESTORE[kind]({ path: { id } })
        notify(restored)
      } catch (error) {
        notifyError(error)
      }
      await client.invalidateQueries()
    }
    notify(deleted, { label: t('bin.undo'), run: () => void undo() })
  }
}

async function daysInBin(client: QueryClient, workspaceId: string | undefined): Promise<number> {
  if (workspaceId === undefined) return (await client.fetchQuery({ ...operatorGetBinOptions(), staleTime: 0 })).days
  const options = operatorListBinnedPublicationsOptions({ path: { id: workspaceId } })
  return (await client.fetchQuery({ ...options, staleTime: 0 })).days
}
