import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table.tsx'
import { rotateKey, type WorkspaceKey, workspaceKeyQuery } from '../../api/workspaces.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { FormAlert } from '../../forms/form-alert.tsx'
import { RotateForm } from '../../forms/rotate-form.tsx'
import { useFormat } from '../../i18n/format.ts'
import { routeIds } from '../../navigation/paths.ts'
import { KeyHandover } from '../../publications/key-handover.tsx'
import { KeysSection } from './keys-section.tsx'

/** The key that lets programs publish to a workspace. */
export function KeyPage() {
  const { t } = useTranslation()
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const client = useQueryClient()
  const key = useQuery(workspaceKeyQuery(workspaceId))
  const [isShown, setShown] = useState(false)
  const [isRotating, setRotating] = useState(false)
  const stopRotating = () => setRotating(false)
  const show = (rotated: WorkspaceKey) => {
    client.setQueryData(workspaceKeyQuery(workspaceId).queryKey, rotated)
    stopRotating()
    setShown(true)
    notify(t('key.rotated'))
  }
  return (
    <Stack>
      <Text c="dimmed" maw={640}>
        {t('key.explanation')}
      </Text>
      <Loaded query={key}>
        {(found) => (
          <>
            <NewestKey
              apiKey={found}
              isShown={isShown}
              onShow={() => setShown(!isShown)}
              onRotate={() => setRotating(true)}
            />
            {isShown && found.api_key !== null && <KeyHandover apiKey={found.api_key} />}
            {found.ending.length > 0 && <EndingKeys keys={found.ending} />}
          </>
        )}
      </Loaded>
      <KeysSection workspaceId={workspaceId} />
      <Dialog title={t('key.rotate')} opened={isRotating} onClose={stopRotating}>
        <RotateForm
          help={t('key.rotateHelp')}
          overlapLabel={t('key.overlap')}
          submitLabel={t('key.rotateSubmit')}
          rotate={(overlapSec) => rotateKey(workspaceId, overlapSec)}
          onRotated={show}
          onCancel={stopRotating}
        />
      </Dialog>
    </Stack>
  )
}

type NewestKeyProps = { apiKey: WorkspaceKey; isShown: boolean; onShow(): void; onRotate(): void }

function NewestKey({ apiKey: { api_key, created_at }, isShown, onShow, onRotate }: NewestKeyProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isThere = created_at !== null
  const Icon = isShown ? EyeOff : Eye
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between">
        {isThere ? (
          <Text size="sm">
            {api_key !== null && <Code mr="sm">{masked(api_key)}</Code>}
            {t('key.since', { time: format.dateTime(created_at) })}
          </Text>
        ) : (
          <Text>{t('key.none')}</Text>
        )}
        <Group gap="xs">
          {api_key !== null && (
            <Button
              variant="default"
              leftSection={<Icon size={16} aria-hidden />}
              onClick={onShow}
              aria-expanded={isShown}
            >
              {isShown ? t('key.hide') : t('key.show')}
            </Button>
          )}
          <Button variant="default" leftSection={<RefreshCw size={16} aria-hidden />} onClick={onRotate}>
            {isThere ? t('key.rotate') : t('key.make')}
          </Button>
        </Group>
      </Group>
      {isThere && api_key === null && <FormAlert>{t('key.cannotShow')}</FormAlert>}
    </Paper>
  )
}

function EndingKeys({ keys }: { keys: WorkspaceKey['ending'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack gap="xs">
      <Title order={2}>{t('key.ending')}</Title>
      <StackedTable label={t('key.ending')} heads={[t('key.key'), t('field.created'), t('field.expires')]}>
        {keys.map(({ masked: shown, created_at, expires_at }) => (
          <StackedRow key={created_at}>
            <StackedCell head={t('key.key')}>{shown === null ? '–' : <Code>{shown}</Code>}</StackedCell>
            <StackedCell head={t('field.created')}>{format.dateTime(created_at)}</StackedCell>
            <StackedCell head={t('field.expires')}>{format.dateTime(expires_at)}</StackedCell>
          </StackedRow>
        ))}
      </StackedTable>
    </Stack>
  )
}

function masked(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`
}
