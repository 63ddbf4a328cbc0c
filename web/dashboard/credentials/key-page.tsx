import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Eye, EyeOff, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { workspaceKeyQuery } from '../api/queries.ts'
import { Dialog } from '../components/dialogs.tsx'
import { FormAlert, Loaded, notify } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorListKeysOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRotateKey } from '../generated/sdk.gen.ts'
import type { WorkspaceKey } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { CredentialAdd, useCredentialColumns } from './credential-list.tsx'
import { Handover } from './handover.tsx'
import { RotateForm } from './lifetime.tsx'

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
            {isShown && found.api_key !== null && <Handover kind="keys" secret={found.api_key} />}
            {found.ending.length > 0 && <EndingKeys keys={found.ending} />}
          </>
        )}
      </Loaded>
      <FurtherKeys workspaceId={workspaceId} />
      <Dialog title={t('keys.rotate')} opened={isRotating} onClose={stopRotating}>
        <RotateForm
          texts="keys"
          rotate={(overlapSec) => operatorRotateKey({ path: { id: workspaceId }, body: { keep_sec: overlapSec } })}
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
            {isThere ? t('keys.rotate') : t('key.make')}
          </Button>
        </Group>
      </Group>
      {isThere && api_key === null && <FormAlert>{t('keys.cannotShow')}</FormAlert>}
    </Paper>
  )
}

function EndingKeys({ keys }: { keys: WorkspaceKey['ending'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack gap="xs">
      <Title order={2}>{t('key.ending')}</Title>
      <StackedTable
        label={t('key.ending')}
        columns={[
          {
            head: t('keys.one'),
            cell: ({ masked: shown }) => (shown === null ? '–' : <Code>{shown}</Code>),
          },
          { head: t('field.created'), cell: ({ created_at }) => format.dateTime(created_at) },
          { head: t('field.expires'), cell: ({ expires_at }) => format.dateTime(expires_at) },
        ]}
        rows={keys}
        rowId={({ created_at }) => created_at}
      />
    </Stack>
  )
}

function masked(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`
}

/** The keys of a workspace beside the first one, each with its permissions. */
function FurtherKeys({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  const owner = { kind: 'keys', id: workspaceId } as const
  const keys = useQuery({
    ...operatorListKeysOptions({ path: { id: workspaceId } }),
    select: ({ keys }) => keys.filter(({ is_first }) => !is_first),
  })
  const { created: _created, ...columns } = useCredentialColumns(owner)
  return (
    <Stack component="section" aria-labelledby="further-keys" mt="lg">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} id="further-keys">
            {t('keys.title')}
          </Title>
          <Text c="dimmed" maw={640}>
            {t('keys.explanation')}
          </Text>
        </div>
        <CredentialAdd owner={owner} />
      </Group>
      <Loaded query={keys}>
        {(list) =>
          list.length === 0 ? (
            <Text>{t('keys.none')}</Text>
          ) : (
            <StackedTable label={t('keys.title')} columns={Object.values(columns)} rows={list} rowId={({ id }) => id} />
          )
        }
      </Loaded>
    </Stack>
  )
}
