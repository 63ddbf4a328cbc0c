import { ActionIcon, Button, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileUp, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type LibraryEntry, publicationQuery } from '../api/publications.ts'
import { useFormat } from '../i18n/format.ts'
import { AnchorLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'
import { isRendering } from '../publications/publication-state.ts'
import { RenderingProgress } from '../publications/rendering-progress.tsx'
import { mayRetry, uploadErrorMessage } from './upload-error-message.ts'
import { isUnderWay, type Upload, uploadQueue } from './upload-queue.ts'
import { useUploadLimitBytes } from './use-add-files.ts'

/** Refetch interval of a publication that is being rendered. */
const REFRESH_MS = 4_000

const ICONS = { done: CircleCheck, failed: CircleAlert } as const

/** One upload: its progress, its failure, or its publication. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { file, phase, publication } = upload
  const format = useFormat()
  const Icon = phase === 'done' || phase === 'failed' ? ICONS[phase] : FileUp
  return (
    <li>
      <Group justify="flex-end" align="flex-start" gap="xs">
        <Group gap="sm" wrap="nowrap" align="flex-start" flex="1 1 240px" miw={0}>
          <Icon size={20} aria-hidden color={colourOf(phase)} style={{ flexShrink: 0 }} />
          <Stack gap={4} flex={1} miw={0}>
            <Group gap="xs" wrap="nowrap" justify="space-between">
              {publication === undefined ? (
                <Text size="sm" truncate>
                  {file.name}
                </Text>
              ) : (
                <AnchorLink to={paths.publication} params={{ publicationId: publication.id }} size="sm" truncate>
                  {publication.title}
                </AnchorLink>
              )}
              <Text size="xs" c="dimmed" className="figures" style={{ flexShrink: 0 }}>
                {format.bytes(file.size)}
              </Text>
            </Group>
            <UploadState upload={upload} />
          </Stack>
        </Group>
        <UploadActions upload={upload} />
      </Group>
    </li>
  )
}

function colourOf(phase: Upload['phase']): string | undefined {
  if (phase === 'failed') return 'var(--mantine-color-error)'
  return phase === 'done' ? 'var(--mantine-color-teal-7)' : undefined
}

/** The progress bar of an upload; a text while it waits and after it failed. */
function UploadState({ upload: { file, phase, sentBytes, error, publication } }: { upload: Upload }) {
  const { t } = useTranslation()
  const format = useFormat()
  const limitBytes = useUploadLimitBytes()
  if (phase === 'failed') {
    const { key, values } = uploadErrorMessage(error, format.bytes(limitBytes))
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {t(key, values ?? {})}
      </Text>
    )
  }
  if (phase === 'waiting') return <Said words={t('upload.waiting')} />
  if (phase === 'opening') return <Said words={t('upload.opening')} />
  if (phase === 'done') return publication === undefined ? null : <Rendering publication={publication} />
  const percent = Math.floor((100 * sentBytes) / file.size)
  return (
    <>
      <Progress.Root size="sm">
        <Progress.Section value={percent} aria-label={t('upload.progressOf', { name: file.name })} />
      </Progress.Root>
      <Said words={t('upload.sent', { sent: format.bytes(sentBytes), percent })} />
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
  return <Said words={t(now.status === 'failed' ? 'upload.notRendered' : done)} />
}

function Said({ words }: { words: string }) {
  return (
    <Text size="xs" c="dimmed" className="figures">
      {words}
    </Text>
  )
}

/** Cancels, retries or removes an upload. */
function UploadActions({ upload }: { upload: Upload }) {
  const { t } = useTranslation()
  const { id, file, phase, error } = upload
  const underWay = isUnderWay(upload)
  const remove = underWay ? 'upload.cancel' : 'upload.remove'
  const removeThis = underWay ? 'upload.cancelThis' : 'upload.removeThis'
  return (
    <Group gap="xs" wrap="nowrap">
      {phase === 'failed' && mayRetry(error) && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('upload.retryThis', { name: file.name })}
          onClick={() => uploadQueue.retry(id)}
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
          onClick={() => uploadQueue.remove(id)}
        >
          <X size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
