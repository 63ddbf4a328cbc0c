import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Flag, Pencil, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../access/rights.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteTrack, exportAddress, type OperatorTrack } from '../../api/tracks.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ShareCreate } from '../../events/share-create.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useFormat } from '../../i18n/format.ts'
import { paths } from '../../navigation/paths.ts'
import { DownloadMenu } from '../../tracks/download-menu.tsx'
import { TrackEdit } from './track-edit.tsx'
import { TrackFinish } from './track-finish.tsx'

/** Downloads a track and, for editors, edits, finishes, shares and deletes it. */
export function TrackActions({ track }: { track: OperatorTrack }) {
  const { canEdit } = useRights()
  return canEdit ? <EditorActions track={track} /> : <TrackDownload track={track} />
}

function TrackDownload({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  return (
    <DownloadMenu
      label={t('track.download')}
      hasPoints={track.points_count > 0}
      addressOf={(format) => exportAddress(track.id, format)}
    />
  )
}

function EditorActions({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'edit' | 'finish' | 'share' | 'delete'>()
  const close = () => setDialog(undefined)
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog('edit')}>
        {t('track.edit')}
      </Button>
      {track.state !== 'stopped' && (
        <Button variant="default" leftSection={<Flag size={16} aria-hidden />} onClick={() => setDialog('finish')}>
          {t('track.finishAction')}
        </Button>
      )}
      <TrackDownload track={track} />
      <Button variant="default" leftSection={<Share2 size={16} aria-hidden />} onClick={() => setDialog('share')}>
        {t('shares.createTrack')}
      </Button>
      <Button
        variant="outline"
        color="red"
        leftSection={<Trash2 size={16} aria-hidden />}
        onClick={() => setDialog('delete')}
      >
        {t('track.delete')}
      </Button>
      <Dialog title={t('track.editTitle')} opened={dialog === 'edit'} onClose={close} size="lg">
        <TrackEdit track={track} onDone={close} />
      </Dialog>
      <TrackFinish track={track} opened={dialog === 'finish'} onClose={close} />
      <Dialog title={t('track.share')} opened={dialog === 'share'} onClose={close}>
        <ShareCreate eventId={track.event.id} trackId={track.id} onDone={close} />
      </Dialog>
      <TrackDelete track={track} opened={dialog === 'delete'} onClose={close} />
    </Group>
  )
}

type TrackDeleteProps = { track: OperatorTrack; opened: boolean; onClose(): void }

function TrackDelete({ track, opened, onClose }: TrackDeleteProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: () => deleteTrack(track.id),
    onSuccess: async () => {
      await navigate({ to: paths.eventTracks, params: { eventId: track.event.id } })
      client.removeQueries({ queryKey: queryKeys.track(track.id) })
      notify(t('track.deleted', { title: track.title }))
      await client.invalidateQueries({ queryKey: queryKeys.event(track.event.id) })
    },
  })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      confirming={deleting}
      title={t('action.deleteThis', { name: track.title })}
      confirmLabel={t('track.delete')}
      typedName={track.title}
      typeLabel={t('publication.typeTitle')}
    >
      {t('track.deleteHelp', { count: track.points_count, figure: format.count(track.points_count) })}
    </ConfirmDialog>
  )
}
