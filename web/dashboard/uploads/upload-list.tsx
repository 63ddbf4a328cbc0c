import { Button, Group, Paper, Stack, Title, VisuallyHidden } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnderWay, type Upload, uploadQueue } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { useUploads } from './use-uploads.ts'

/** The uploads of a workspace, finished ones included. */
export function UploadList({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  const titleId = useId()
  const uploads = useUploads().filter(
    (upload) => upload.workspaceId === workspaceId && !('replacedId' in upload.purpose),
  )
  const over = uploads.filter((upload) => !isUnderWay(upload))
  return (
    <>
      <Announcement uploads={uploads} />
      {uploads.length > 0 && (
        <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-labelledby={titleId}>
          <Group justify="space-between" mb="sm">
            <Title order={2} id={titleId}>
              {t('upload.title')}
            </Title>
            {over.length > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  for (const { id } of over) uploadQueue.remove(id)
                }}
              >
                {t('upload.clear')}
              </Button>
            )}
          </Group>
          <Stack component="ul" gap="sm" p={0} m={0} mah={320} style={{ listStyle: 'none', overflowY: 'auto' }}>
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </Stack>
        </Paper>
      )}
    </>
  )
}

/** Announces the number of finished uploads to screen readers, not every step of each. */
function Announcement({ uploads }: { uploads: readonly Upload[] }) {
  const { t } = useTranslation()
  const done = uploads.filter(({ phase }) => phase === 'done').length
  const failed = uploads.filter(({ phase }) => phase === 'failed').length
  return (
    <VisuallyHidden role="status">
      {uploads.length > 0 && t('upload.announced', { done, failed, all: uploads.length })}
    </VisuallyHidden>
  )
}
