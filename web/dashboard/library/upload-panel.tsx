import { ActionIcon, Button, Collapse, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { isUnderWay, useTransfers } from '../components/transfer-queue.ts'
import { TransferActions, TransferFailure, TransferRow, TransferState } from '../components/transfer-row.tsx'
import { operatorGetPublicationOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { LibraryEntry, OperatorPublication } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { isRendering, RenderingProgress } from './publication-state.tsx'
import { mayRetry, uploadErrorMessage } from './upload-errors.ts'
import {
  inOrderOfConcern,
  isShownInPlace,
  type Upload,
  type UploadTotals,
  uploadQueue,
  uploadTotals,
  useUploadLimitBytes,
} from './upload-queue.ts'
import './upload-panel.css'

/** The uploads of other pages in a corner of every page: a summary, and each file on demand. */
export function UploadPanel({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const bodyId = useId()
  const uploads = useTransfers(uploadQueue).filter((upload) => !isShownInPlace(upload, pathname))
  const totals = uploadTotals(uploads)
  const [chosen, choose] = useState<boolean>()
  if (uploads.length === 0) return null
  // A failure is visible without opening the list.
  const isOpen = chosen ?? totals.failed > 0
  const Chevron = isOpen ? ChevronDown : ChevronUp
  return (
    <section className="upload-panel" aria-label={t('upload.title')}>
      <Group justify="space-between" wrap="nowrap" gap="xs" px="md" py="xs">
        <Summary totals={totals} />
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('upload.each')}
            aria-expanded={isOpen}
            aria-controls={bodyId}
            onClick={() => choose(!isOpen)}
          >
            <Chevron size={18} aria-hidden />
          </ActionIcon>
          {totals.underWay === 0 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('upload.clear')}
              onClick={() => {
                for (const upload of uploads) if (!isUnderWay(upload)) uploadQueue.remove(upload.id)
              }}
            >
              <X size={18} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {totals.underWay > 0 && (
        <Progress.Root size="xs" radius={0}>
          <Progress.Section value={totals.percent} aria-label={t('upload.together')} />
        </Progress.Root>
      )}
      <Collapse expanded={isOpen} id={bodyId}>
        <Stack component="ul" gap="sm" p="md" m={0} mah="min(320px, 50dvh)" className="upload-panel-list">
          {inOrderOfConcern(uploads).map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </Stack>
      </Collapse>
    </section>
  )
}

function Summary({ totals }: { totals: UploadTotals }) {
  const { t } = useTranslation()
  const { all, done, failed } = totals
  return (
    <div>
      <UploadSummary totals={totals} />
      <VisuallyHidden role="status">{t('upload.announced', { done, failed, all })}</VisuallyHidden>
    </div>
  )
}

/** Says how uploads ended: published, saved as drafts, refused. */
export function UploadSummary({ totals: { underWay, done, drafts, failed, percent } }: { totals: UploadTotals }) {
  const { t } = useTranslation()
  const lines = [
    underWay > 0 && t('upload.underWay', { count: underWay, percent }),
    done > drafts && t('upload.allDone', { count: done - drafts }),
    drafts > 0 && t('upload.draftsDone', { count: drafts }),
  ].filter((line) => line !== false)
  return (
    <>
      {lines.length > 0 && (
        <Text size="sm" fw={600} className="figures">
          {lines.join(' · ')}
        </Text>
      )}
      {failed > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('upload.failed', { count: failed })}
        </Text>
      )}
    </>
  )
}

/** Names publications of the workspace that have the same file. */
function IdenticalFiles({ publication }: { publication: LibraryEntry }) {
  const { t } = useTranslation()
  const identical = 'identical_to' in publication ? (publication as OperatorPublication).identical_to : []
  const [first] = identical
  if (first === undefined) return null
  return (
    <Text size="xs" c="dimmed">
      {t('upload.identical', { count: identical.length })}{' '}
      <AnchorLink to={paths.publication} params={{ publicationId: first.id }} size="xs">
        {first.title}
      </AnchorLink>
    </Text>
  )
}

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
function UploadState({ upload }: { upload: Upload }) {
  const { file, phase, sentBytes, error, publication } = upload
  const { t } = useTranslation()
  const format = useFormat()
  const limitBytes = useUploadLimitBytes()
  if (phase === 'failed') {
    const { key, values } = uploadErrorMessage(error, format.bytes(limitBytes))
    return <TransferFailure words={t(key, values ?? {})} />
  }
  if (phase === 'waiting') return <TransferState words={t('upload.waiting')} />
  if (phase === 'asking') return <ReplacementQuestion upload={upload} />
  if (phase === 'opening') return <TransferState words={t('upload.opening')} />
  if (phase === 'done')
    return publication === undefined ? null : (
      <>
        <Rendering publication={publication} />
        <IdenticalFiles publication={publication} />
      </>
    )
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

/** Shows the differences between an uploaded file and the present one, and lets it replace that. */
function ReplacementQuestion({ upload: { id, file, comparison } }: { upload: Upload }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (comparison === undefined) return null
  const { latest, upload, identical_version, resized } = comparison
  const pages = (count: number) => t('publication.pages', { count, figure: format.count(count) })
  const facts = [
    t('versions.pagesChange', { before: pages(latest.page_count), after: pages(upload.page_count) }),
    t('versions.sizeChange', { before: format.bytes(latest.size), after: format.bytes(upload.size) }),
    upload.file_title !== latest.file_title &&
      upload.file_title !== null &&
      t('versions.fileTitle', { title: upload.file_title }),
    resized.length > 0 && t('versions.resized', { count: resized.length, pages: pageList(resized) }),
    identical_version !== null && t('versions.identical', { number: identical_version }),
  ].filter((fact) => fact !== false)
  return (
    <Stack gap={6} role="group" aria-label={t('versions.question', { name: file.name })}>
      <Text size="sm" role="status">
        {t('versions.ask')}
      </Text>
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {facts.map((fact) => (
          <Text component="li" size="sm" key={fact} style={{ overflowWrap: 'anywhere' }}>
            {fact}
          </Text>
        ))}
      </ul>
      <Group gap="xs">
        <Button size="xs" onClick={() => uploadQueue.confirm(id)}>
          {t('versions.replace')}
        </Button>
        <Button size="xs" variant="default" onClick={() => uploadQueue.remove(id)}>
          {t('versions.keep')}
        </Button>
      </Group>
    </Stack>
  )
}

const MAX_NAMED_PAGES = 12

/** Names pages by their numbers: all of a few, and the first of many. */
export function pageList(pages: readonly number[]): string {
  const named = pages.slice(0, MAX_NAMED_PAGES).join(', ')
  return pages.length > MAX_NAMED_PAGES ? `${named}, …` : named
}

/** The rendering progress, also on pages that do not follow the workspace's stream. */
function Rendering({ publication }: { publication: LibraryEntry }) {
  const { t } = useTranslation()
  const query = useQuery({
    ...operatorGetPublicationOptions({ path: { id: publication.id } }),
    refetchInterval: ({ state }) => (state.data === undefined || isRendering(state.data) ? REFRESH_MS : false),
  })
  const now = query.data ?? publication
  if (isRendering(now)) return <RenderingProgress publication={now} />
  const done = publication.visibility === 'draft' ? 'upload.draft' : 'upload.done'
  return <TransferState words={t(now.status === 'failed' ? 'upload.notRendered' : done)} />
}
