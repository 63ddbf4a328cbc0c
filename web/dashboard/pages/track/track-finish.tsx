import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { finishTrack, type OperatorTrack } from '../../api/tracks.ts'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useFormat } from '../../i18n/format.ts'

type TrackFinishProps = { track: OperatorTrack; opened: boolean; onClose(): void }

/** Finishes a track whose phone no longer does so, after confirmation. */
export function TrackFinish({ track, opened, onClose }: TrackFinishProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const finishing = useMutation({
    mutationFn: () => finishTrack(track.id),
    onSuccess: async () => {
      onClose()
      notify(t('track.finished', { title: track.title }))
      await client.invalidateQueries({ queryKey: queryKeys.track(track.id) })
      await client.invalidateQueries({ queryKey: queryKeys.event(track.event.id) })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => finishing.mutate()}
      confirming={finishing}
      title={t('track.finishThis', { title: track.title })}
      confirmLabel={t('track.finishNow')}
      isHarmless
    >
      {track.last_point_at === null
        ? t('track.finishHelpWithoutPoints')
        : t('track.finishHelp', { time: format.dateTime(track.last_point_at) })}
    </ConfirmDialog>
  )
}
