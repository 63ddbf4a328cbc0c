import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ChooseFiles } from '../components/file-choice.tsx'
import { Panel } from '../components/panel.tsx'
import { isUnderWay, useTransfers } from '../components/transfer-queue.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { UploadRow } from './upload-panel.tsx'
import { uploadQueue } from './upload-queue.ts'
import { useUploadLimitBytes } from './use-uploads.ts'

/** Replaces a publication's file and keeps everything else. */
export function FileReplace({ publication: { id, workspace } }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const limitBytes = useUploadLimitBytes()
  const uploads = useTransfers(uploadQueue).filter(
    ({ purpose }) => 'replacedId' in purpose && purpose.replacedId === id,
  )
  const isBusy = uploads.some(isUnderWay)
  const replace = ([file]: File[]) => {
    if (file === undefined) return
    for (const before of uploads) uploadQueue.remove(before.id)
    uploadQueue.add(workspace.id, file, { replacedId: id }, limitBytes)
  }
  return (
    <Panel title={t('replace.title')}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm" c="dimmed" flex="1 1 280px">
            {t('replace.help')}
          </Text>
          {!isBusy && <ChooseFiles onFiles={replace} label={t('replace.choose')} isPrimary={false} single />}
        </Group>
        {uploads.length > 0 && (
          <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </Stack>
        )}
      </Stack>
    </Panel>
  )
}
