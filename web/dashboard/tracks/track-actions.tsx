import { Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Flag, Pencil, RotateCcw, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { exportAddress } from '../api/addresses.ts'
import { aboutKey } from '../api/query-client.ts'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { paths } from '../components/paths.ts'
import { useNotifyDeletion, useUndoHint } from '../components/undo-deletion.ts'
import { ShareCreate } from '../events/share-create.tsx'
import { operatorDeleteTrack, operatorFinishTrack, operatorReopenTrack } from '../generated/sdk.gen.ts'
import type { OperatorTrack } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { DownloadMenu } from './download-menu.tsx'
import { TrackEdit } from './track-edit.tsx'

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
  const [dialog, setDialog] = useState<'edit' | 'finish' | 'reopen' | 'share' | 'delete'>()
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
      {track.state === 'stopped' && (
        <Button variant="default" leftSection={<RotateCcw size={16} aria-hidden />} onClick={() => setDialog('reopen')}>
          {t('track.reopenAction')}
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
      <TrackReopen track={track} opened={dialog === 'reopen'} onClose={close} />
      <TrackDelete track={track} opened={dialog === 'delete'} onClose={close} />
    </Group>
  )
}

type TrackDialogProps = { track: OperatorTrack; opened: boolean; onClose(): void }

function TrackDelete({ track, opened, onClose }: TrackDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = format.trackName(track.name, track.start_ts)
  const client = useQueryClient()
  const navigate = useNavigate()
  const notifyDeletion = useNotifyDeletion('track')
  const undoHint = useUndoHint()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      action={() => operatorDeleteTrack({ path: { id: track.id } })}
      onDone={async () => {
        await navigate({ to: paths.eventTracks, params: { eventId: track.event.id } })
        client.removeQueries({ queryKey: aboutKey(track.id) })
        const words = { deleted: t('track.deleted', { title: name }), restored: t('bin.restored', { name }) }
        await notifyDeletion({ ids: [track.id], ...words })
        await client.invalidateQueries({ queryKey: aboutKey(track.event.id) })
      }}
      title={t('action.deleteThis', { name })}
      confirmLabel={t('track.delete')}
      typedName={name}
      typeLabel={t('publication.typeTitle')}
    >
      {t('track.deleteHelp', { count: track.points_count, figure: format.count(track.points_count) })} {undoHint}
    </ConfirmDialog>
  )
}

/** Finishes a track whose phone no longer does so, after confirmation. */
function TrackFinish({ track, ...dialog }: TrackDialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const title = format.trackName(track.name, track.start_ts)
  return (
    <ConfirmDialog
      {...dialog}
      action={() => operatorFinishTrack({ path: { id: track.id } })}
      doneMessage={t('track.finished', { title })}
      changes={stateAnswers(track)}
      title={t('track.finishThis', { title })}
      confirmLabel={t('track.finishNow')}
      isHarmless
    >
      {track.last_point_at === null
        ? t('track.finishHelpWithoutPoints')
        : t('track.finishHelp', { time: format.dateTime(track.last_point_at) })}
    </ConfirmDialog>
  )
}

/** Takes back that a track is finished, after confirmation. */
function TrackReopen({ track, ...dialog }: TrackDialogProps) {
  const { t } = useTranslation()
  const title = useFormat().trackName(track.name, track.start_ts)
  return (
    <ConfirmDialog
      {...dialog}
      action={() => operatorReopenTrack({ path: { id: track.id } })}
      doneMessage={t('track.reopened', { title })}
      changes={stateAnswers(track)}
      title={t('track.reopenThis', { title })}
      confirmLabel={t('track.reopenNow')}
      isHarmless
    >
      {t('track.reopenHelp')}
    </ConfirmDialog>
  )
}

/** The answers that change with the state of a track. */
function stateAnswers({ id, event }: OperatorTrack) {
  return [id, event.id].map((about) => ({ queryKey: aboutKey(about) }))
}
