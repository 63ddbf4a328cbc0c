import { Button, Group, Menu, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteTrack, exportAddress, type OperatorTrack } from '../../api/tracks.ts'
import { ShareCreate } from '../../events/share-create.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { useDialogWords } from '../../forms/use-dialog-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { paths } from '../../navigation/paths.ts'

const FORMATS = [
  { format: 'gpx', key: 'track.asGpx' },
  { format: 'geojson', key: 'track.asGeoJson' },
  { format: 'csv', key: 'track.asCsv' },
] as const

/** What can be done with a track. */
export function TrackActions({ track }: { track: OperatorTrack }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'share' | 'delete'>()
  const close = () => setDialog(undefined)
  return (
    <Group gap="xs">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
            {t('track.download')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('track.download')}>
          {FORMATS.map(({ format, key }) => (
            <Menu.Item key={format} component="a" href={exportAddress(track.id, format)} download>
              {t(key)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
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
      <Modal
        opened={dialog === 'share'}
        onClose={close}
        title={t('track.share')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <ShareCreate eventId={track.event.id} trackId={track.id} onDone={close} />
      </Modal>
      <Deletion track={track} opened={dialog === 'delete'} onClose={close} />
    </Group>
  )
}

type DeletionProps = { track: OperatorTrack; opened: boolean; onClose(): void }

function Deletion({ track, opened, onClose }: DeletionProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const words = useDialogWords(t('track.delete'))
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
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      busy={deleting.isPending}
      title={t('track.deleteThis', { title: track.title })}
      typedName={track.title}
      failure={deleting.isError && <Failure error={deleting.error} />}
      words={words}
    >
      {t('track.deleteHelp', { points: format.count(track.points_count) })}
    </DeleteDialog>
  )
}
