import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notify, useNotifyError } from '../components/feedback.tsx'
import { operatorGetBinOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRestoreEvent, operatorRestoreTrack } from '../generated/sdk.gen.ts'

const RESTORE = { event: operatorRestoreEvent, track: operatorRestoreTrack } as const

/** Returns the sentence that says, before a deletion, for how long it can be undone; empty until that is known. */
export function useUndoHint(): string {
  const { t } = useTranslation()
  const { data: bin } = useQuery(operatorGetBinOptions())
  if (bin === undefined) return ''
  return bin.days === 0 ? t('bin.hintOff') : t('bin.hint', { count: bin.days })
}

/** Returns a function that says of a deletion that it was done, with a button that undoes it where there is a bin. */
export function useNotifyDeletion(kind: 'event' | 'track') {
  const { t } = useTranslation()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  return async (id: string, name: string, message: string): Promise<void> => {
    const bin = await client.fetchQuery({ ...operatorGetBinOptions(), staleTime: 0 }).catch(() => undefined)
    if (bin === undefined || bin.days === 0) return notify(message)
    const undo = async () => {
      try {
        await RESTORE[kind]({ path: { id } })
        notify(t('bin.restored', { name }))
        await client.invalidateQueries()
      } catch (error) {
        notifyError(error)
      }
    }
    notify(message, { label: t('bin.undo'), run: () => void undo() })
  }
}
