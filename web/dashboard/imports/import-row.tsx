import { ActionIcon, Button, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { CircleAlert, CircleCheck, CircleEqual, FileUp, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../i18n/format.ts'
import { AnchorLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'
import { importErrorMessage, mayRetry } from './import-error-message.ts'
import { type FileImport, importQueue, isUnderWay } from './import-queue.ts'

/** Most tracks of one file that are named. */
const MAX_NAMED = 5

const ICONS = { done: CircleCheck, known: CircleEqual, failed: CircleAlert } as const

/** One imported file: its progress, its failure, or its tracks. */
export function ImportRow({ fileImport }: { fileImport: FileImport }) {
  const { file, phase } = fileImport
  const format = useFormat()
  const Icon = phase === 'done' || phase === 'known' || phase === 'failed' ? ICONS[phase] : FileUp
  return (
    <li>
      <Group justify="flex-end" align="flex-start" gap="xs">
        <Group gap="sm" wrap="nowrap" align="flex-start" flex="1 1 240px" miw={0}>
          <Icon size={20} aria-hidden color={colourOf(phase)} style={{ flexShrink: 0 }} />
          <Stack gap={4} flex={1} miw={0}>
            <Group gap="xs" wrap="nowrap" justify="space-between">
              <Text size="sm" truncate>
                {file.name}
              </Text>
              <Text size="xs" c="dimmed" className="figures" style={{ flexShrink: 0 }}>
                {format.bytes(file.size)}
              </Text>
            </Group>
            <ImportState fileImport={fileImport} />
          </Stack>
        </Group>
        <ImportActions fileImport={fileImport} />
      </Group>
    </li>
  )
}

function colourOf(phase: FileImport['phase']): string | undefined {
  if (phase === 'failed') return 'var(--mantine-color-error)'
  return phase === 'done' ? 'var(--mantine-color-teal-7)' : undefined
}

function ImportState({ fileImport }: { fileImport: FileImport }) {
  const { t } = useTranslation()
  const { file, phase, sentBytes, error } = fileImport
  if (phase === 'failed') {
    const { key, values } = importErrorMessage(error)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {t(key, values ?? {})}
      </Text>
    )
  }
  if (phase === 'waiting') return <Said words={t('upload.waiting')} />
  if (phase === 'reading') return <Said words={t('import.reading')} />
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
  if (trackId === undefined) return <Said words={t('import.known')} />
  return (
    <Group gap="xs">
      <Said words={t('import.known')} />
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
      {tracks.length > MAX_NAMED && <Said words={t('import.moreTracks', { count: tracks.length - MAX_NAMED })} />}
      {leftOut > 0 && <Said words={t('import.leftOut', { count: leftOut, figure: format.count(leftOut) })} />}
    </Stack>
  )
}

function Said({ words }: { words: string }) {
  return (
    <Text size="xs" c="dimmed" className="figures">
      {words}
    </Text>
  )
}

/** Cancels, retries or removes an import. */
function ImportActions({ fileImport }: { fileImport: FileImport }) {
  const { t } = useTranslation()
  const { id, file, phase, error } = fileImport
  const underWay = isUnderWay(fileImport)
  const remove = underWay ? 'upload.cancel' : 'upload.remove'
  const removeThis = underWay ? 'import.cancelThis' : 'upload.removeThis'
  return (
    <Group gap="xs" wrap="nowrap">
      {phase === 'failed' && mayRetry(error) && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('upload.retryThis', { name: file.name })}
          onClick={() => importQueue.retry(id)}
        >
          {t('action.retry')}
        </Button>
      )}
      <Tooltip label={t(remove)}>
        <ActionIcon
          size={30}
          variant="subtle"
          color="gray"
          aria-label={t(removeThis, { name: file.name })}
          onClick={() => importQueue.remove(id)}
        >
          <X size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
