import { Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { AnchorLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'
import { TransferActions, TransferFailure, TransferRow, TransferState } from '../transfers/transfer-row.tsx'
import { importErrorMessage, mayRetry } from './import-error-message.ts'
import { type FileImport, importQueue, isUnderWay } from './import-queue.ts'

/** Most tracks of one file that are named. */
const MAX_NAMED = 5

/** One imported file: its progress, its failure, or its tracks. */
export function ImportRow({ fileImport }: { fileImport: FileImport }) {
  const { id, file, phase, error } = fileImport
  const mayBeRetried = phase === 'failed' && mayRetry(error)
  const actions = (
    <TransferActions
      fileName={file.name}
      isUnderWay={isUnderWay(fileImport)}
      cancelThis="import.cancelThis"
      onRetry={mayBeRetried ? () => importQueue.retry(id) : undefined}
      onRemove={() => importQueue.remove(id)}
    />
  )
  const name = (
    <Text size="sm" truncate>
      {file.name}
    </Text>
  )
  return (
    <TransferRow phase={phase} name={name} sizeBytes={file.size} actions={actions}>
      <ImportState fileImport={fileImport} />
    </TransferRow>
  )
}

function ImportState({ fileImport }: { fileImport: FileImport }) {
  const { t } = useTranslation()
  const { file, phase, sentBytes, error } = fileImport
  if (phase === 'failed') {
    const { key, values } = importErrorMessage(error)
    return <TransferFailure words={t(key, values ?? {})} />
  }
  if (phase === 'waiting') return <TransferState words={t('upload.waiting')} />
  if (phase === 'reading') return <TransferState words={t('import.reading')} />
  if (phase === 'known') return <KnownTrack trackId={fileImport.knownTrackId} />
  if (phase === 'done') return <MadeTracks fileImport={fileImport} />
  return (
    <Progress.Root size="sm">
      <Progress.Section
        value={Math.floor((100 * sentBytes) / Math.max(1, file.size))}
        aria-label={t('import.progressOf', { name: file.name })}
      />
    </Progress.Root>
  )
}

/** A duplicate, with the track that the file made before. */
function KnownTrack({ trackId }: { trackId: string | undefined }) {
  const { t } = useTranslation()
  if (trackId === undefined) return <TransferState words={t('import.known')} />
  return (
    <Group gap="xs">
      <TransferState words={t('import.known')} />
      <AnchorLink to={paths.track} params={{ trackId }} size="xs">
        {t('import.toTrack')}
      </AnchorLink>
    </Group>
  )
}

function MadeTracks({ fileImport: { tracks } }: { fileImport: FileImport }) {
  const { t } = useTranslation()
  const format = useFormat()
  const leftOut = tracks.reduce((sum, { points_left_out }) => sum + points_left_out, 0)
  return (
    <Stack gap={0}>
      {tracks.slice(0, MAX_NAMED).map(({ track_id, title, points_count }) => (
        <Group key={track_id} gap="xs" wrap="nowrap" mih={26}>
          <AnchorLink to={paths.track} params={{ trackId: track_id }} size="sm" truncate>
            {title}
          </AnchorLink>
          <Text size="xs" c="dimmed" className="figures" style={{ flexShrink: 0 }}>
            {t('events.points', { count: points_count, figure: format.count(points_count) })}
          </Text>
        </Group>
      ))}
      {tracks.length > MAX_NAMED && (
        <TransferState words={t('import.moreTracks', { count: tracks.length - MAX_NAMED })} />
      )}
      {leftOut > 0 && <TransferState words={t('import.leftOut', { count: leftOut, figure: format.count(leftOut) })} />}
    </Stack>
  )
}
