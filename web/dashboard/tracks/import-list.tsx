import { Group, Paper, Progress, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RefusalReason } from '../../../src/tracks/imports/recorded-track.ts'
import { ApiError } from '../api/api-error.ts'
import { type ErrorMessage, errorMessage } from '../components/error-message.ts'
import { AnchorLink } from '../components/links.tsx'
import { RowButton } from '../components/lists.tsx'
import { paths } from '../components/paths.ts'
import { isUnderWay, percentOf, useTransfers } from '../components/transfer-queue.ts'
import { TransferActions, TransferFailure, TransferRow, TransferState } from '../components/transfer-row.tsx'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'
import { type FileImport, importQueue } from './import-queue.ts'

/** The files imported into an event from this window: their progress together, and each of them. */
export function ImportList({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const titleId = useId()
  const imports = useTransfers(importQueue).filter((one) => one.eventId === eventId)
  const underWay = imports.filter(isUnderWay)
  // The list scrolls by itself. Failures come first, so that none of them has to be looked for.
  const [others, failed] = [imports.filter((one) => !hasFailed(one)), imports.filter(hasFailed)]
  if (imports.length === 0) return <VisuallyHidden role="status" />
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-labelledby={titleId}>
      <Group justify="space-between" mb="sm">
        <div>
          <Title order={2} id={titleId}>
            {t('import.title')}
          </Title>
          <Summary imports={imports} />
        </div>
        <ListActions imports={imports} />
      </Group>
      {underWay.length > 0 && (
        <Progress.Root size="sm" mb="sm">
          <Progress.Section value={percentOf(imports)} aria-label={t('import.together')} />
        </Progress.Root>
      )}
      <Stack component="ul" gap="sm" p={0} m={0} mah={320} style={{ listStyle: 'none', overflowY: 'auto' }}>
        {[...failed, ...others].map((one) => (
          <ImportRow key={one.id} fileImport={one} />
        ))}
      </Stack>
    </Paper>
  )
}

function hasFailed({ phase }: FileImport): boolean {
  return phase === 'failed'
}

/** Counts the files by their outcome. Screen readers hear it whenever it changes, and not every step of each file. */
function Summary({ imports }: { imports: readonly FileImport[] }) {
  const { t } = useTranslation()
  const count = (phase: FileImport['phase']) => imports.filter((one) => one.phase === phase).length
  const [done, known, failed] = [count('done'), count('known'), count('failed')]
  const parts = [
    t('import.doneOf', { done, all: imports.length }),
    known > 0 ? t('import.knownCount', { count: known }) : '',
    failed > 0 ? t('import.failedCount', { count: failed }) : '',
  ]
  return (
    <Text size="sm" c="dimmed" className="figures" role="status">
      {parts.filter((part) => part !== '').join(' · ')}
    </Text>
  )
}

function ListActions({ imports }: { imports: readonly FileImport[] }) {
  const { t } = useTranslation()
  const underWay = imports.filter(isUnderWay)
  const over = imports.filter((one) => !isUnderWay(one))
  const again = imports.filter(({ phase, error }) => phase === 'failed' && mayRetry(error))
  const removeAll = (some: readonly FileImport[]) => {
    for (const { id } of some) importQueue.remove(id)
  }
  return (
    <Group gap="xs">
      {again.length > 0 && (
        <RowButton
          onClick={() => {
            for (const { id } of again) importQueue.retry(id)
          }}
        >
          {t('import.retryAll')}
        </RowButton>
      )}
      {underWay.length > 0 && <RowButton onClick={() => removeAll(underWay)}>{t('import.cancelAll')}</RowButton>}
      {over.length > 0 && <RowButton onClick={() => removeAll(over)}>{t('upload.clear')}</RowButton>}
    </Group>
  )
}

/** Most tracks of one file that are named. */
const MAX_NAMED = 5

/** One imported file: its progress, its failure, or its tracks. */
function ImportRow({ fileImport }: { fileImport: FileImport }) {
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
            {format.trackName(title)}
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

/** The texts for the server's reasons to refuse a file. */
const REASONS: Record<RefusalReason, Key> = {
  archive: 'import.refused.archive',
  cut_short: 'import.refused.cut_short',
  damaged: 'import.refused.damaged',
  document_type: 'import.refused.malformed',
  empty: 'import.refused.empty',
  malformed: 'import.refused.malformed',
  no_points: 'import.refused.no_points',
  no_recording: 'import.refused.no_recording',
  too_costly: 'import.refused.too_much',
  too_much: 'import.refused.too_much',
  unknown_format: 'import.refused.unknown_format',
}

/** Returns the message for a file that was not imported. */
function importErrorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof ApiError)) return errorMessage(error)
  const { status, problem } = error
  if (status === 422) return { key: REASONS[problem?.reason as RefusalReason] ?? 'import.refused.malformed' }
  if (status === 413) return { key: 'import.refused.too_much' }
  if (status === 403) return { key: 'import.eventFull' }
  if (status === 404) return { key: 'import.eventGone' }
  return errorMessage(error)
}

/** Checks whether a retry may help, which it cannot for a file that is always refused. */
function mayRetry(error: unknown): boolean {
  return !(error instanceof ApiError && [413, 422].includes(error.status))
}
