import { ActionIcon, Collapse, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isShownInPlace } from './is-shown-in-place.ts'
import './upload-panel.css'
import { isUnderWay, uploadQueue } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { type UploadTotals, uploadTotals } from './upload-totals.ts'
import { useUploads } from './use-uploads.ts'

/** The uploads of other pages in a corner of every page: a summary, and each file on demand. */
export function UploadPanel({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const bodyId = useId()
  const uploads = useUploads().filter((upload) => !isShownInPlace(upload, pathname))
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
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </Stack>
      </Collapse>
    </section>
  )
}

function Summary({ totals: { all, underWay, done, failed, percent } }: { totals: UploadTotals }) {
  const { t } = useTranslation()
  const words = underWay > 0 ? t('upload.underWay', { count: underWay, percent }) : t('upload.allDone', { count: done })
  return (
    <div>
      {(underWay > 0 || done > 0) && (
        <Text size="sm" fw={600} className="figures">
          {words}
        </Text>
      )}
      {failed > 0 && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('upload.failed', { count: failed })}
        </Text>
      )}
      <VisuallyHidden role="status">{t('upload.announced', { done, failed, all })}</VisuallyHidden>
    </div>
  )
}
