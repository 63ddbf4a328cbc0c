import { Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type LibraryEntry, publicationQuery } from '../api/publications.ts'
import { useFormat } from '../i18n/format.ts'
import { AnchorLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'
import { isRendering } from '../publications/publication-state.ts'
import { RenderingProgress } from '../publications/rendering-progress.tsx'
import { TransferActions, TransferFailure, TransferRow, TransferState } from '../transfers/transfer-row.tsx'
import { mayRetry, uploadErrorMessage } from './upload-error-message.ts'
import { isUnderWay, type Upload, uploadQueue } from './upload-queue.ts'
import { useUploadLimitBytes } from './use-add-files.ts'

/** Refetch interval of a publication that is being rendered. */
const REFRESH_MS = 4_000

/** One upload: its progress, its failure, or its publication. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { id, file, phase, error, publication } = upload
  const mayBeRetried = phase === 'failed' && mayRetry(error)
  const actions = (
    <TransferActions
      fileName={file.name}
      isUnderWay={isUnderWay(upload)}
      cancelThis="upload.cancelThis"
      onRetry={mayBeRetried ? () => uploadQueue.retry(id) : undefined}
      onRemove={() => uploadQueue.remove(id)}
    />
  )
  const name =
    publication === undefined ? (
      <Text size="sm" truncate>
        {file.name}
      </Text>
    ) : (
      <AnchorLink to={paths.publication} params={{ publicationId: publication.id }} size="sm" truncate>
        {publication.title}
      </AnchorLink>
    )
  return (
    <TransferRow phase={phase} name={name} sizeBytes={file.size} actions={actions}>
      <UploadState upload={upload} />
    </TransferRow>
  )
}

/** The progress bar of an upload; a text while it waits and after it failed. */
function UploadState({ upload: { file, phase, sentBytes, error, publication } }: { upload: Upload }) {
  const { t } = useTranslation()
  const format = useFormat()
  const limitBytes = useUploadLimitBytes()
  if (phase === 'failed') {
    const { key, values } = uploadErrorMessage(error, format.bytes(limitBytes))
    return <TransferFailure words={t(key, values ?? {})} />
  }
  if (phase === 'waiting') return <TransferState words={t('upload.waiting')} />
  if (phase === 'opening') return <TransferState words={t('upload.opening')} />
  if (phase === 'done') return publication === undefined ? null : <Rendering publication={publication} />
  const percent = Math.floor((100 * sentBytes) / file.size)
  return (
    <>
      <Progress.Root size="sm">
        <Progress.Section value={percent} aria-label={t('upload.progressOf', { name: file.name })} />
      </Progress.Root>
      <TransferState words={t('upload.sent', { sent: format.bytes(sentBytes), percent })} />
    </>
  )
}

/** The rendering progress, also on pages that do not follow the workspace's stream. */
function Rendering({ publication }: { publication: LibraryEntry }) {
  const { t } = useTranslation()
  const query = useQuery({
    ...publicationQuery(publication.id),
    refetchInterval: ({ state }) => (state.data === undefined || isRendering(state.data) ? REFRESH_MS : false),
  })
  const now = query.data ?? publication
  if (isRendering(now)) return <RenderingProgress publication={now} />
  const done = now.unpublished_at === null ? 'upload.done' : 'upload.draft'
  return <TransferState words={t(now.status === 'failed' ? 'upload.notRendered' : done)} />
}
