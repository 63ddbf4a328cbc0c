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
import { CredentialAdd, useCredentialColumns } from '../credentials/credential-list.tsx'
import { Handover } from '../credentials/handover.tsx'
import { RotateForm } from '../credentials/lifetime.tsx'
import { operatorListKeysOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRotateKey } from '../generated/sdk.gen.ts'
import type { WorkspaceKey } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { WorkspaceWebhooks } from '../webhooks/webhooks-panel.tsx'

/** The means of programs to publish to a workspace and to be told of its publications: keys, commands and webhooks. */
export function WorkspaceProgramsPage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  return (
    <Stack gap="xl">
      <WorkspaceKeys workspaceId={workspaceId} />
      <WorkspaceWebhooks workspaceId={workspaceId} />
    </Stack>
  )
}

/** The keys that let programs publish to a workspace. */
function WorkspaceKeys({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <div>
        <Title order={2} size="h3">
          {t('workspace.key')}
        </Title>
        <Text c="dimmed" maw={640}>
          {t('key.explanation')}
        </Text>
      </div>
      <FirstKey workspaceId={workspaceId} />
      <FurtherKeys workspaceId={workspaceId} />
    </Stack>
  )
}

/** The first key, which is asked for when the operator wants to see it, as it may take a confirmation. */
function FirstKey({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const listed = useQuery(operatorListKeysOptions({ path: { id: workspaceId } }))
  const [isShown, setShown] = useState(false)
  const [isRotating, setRotating] = useState(false)
  const key = useQuery({ ...workspaceKeyQuery(workspaceId), enabled: isShown })
  const show = (rotated: WorkspaceKey) => {
    client.setQueryData(workspaceKeyQuery(workspaceId).queryKey, rotated)
    void client.invalidateQueries({ queryKey: operatorListKeysOptions({ path: { id: workspaceId } }).queryKey })
    setRotating(false)
    setShown(true)
    notify(t('key.rotated'))
  }
  return (
    <>
      <Loaded query={listed}>
        {({ keys }) => (
          <KeyLine
            createdAt={keys
              .filter(({ is_first }) => is_first)
              .map(({ created_at }) => created_at)
              .sort()
              .at(-1)}
            apiKey={isShown ? key.data?.api_key : undefined}
            isShown={isShown}
            onShow={() => setShown(!isShown)}
            onRotate={() => setRotating(true)}
          />
        )}
      </Loaded>
      {isShown && (
        <Loaded query={key}>
          {({ api_key, ending }) => (
            <>
              {api_key !== null && <Handover kind="keys" secret={api_key} />}
              {ending.length > 0 && <EndingKeys keys={ending} />}
            </>
          )}
        </Loaded>
      )}
      <Dialog title={t('keys.rotate')} opened={isRotating} onClose={() => setRotating(false)}>
        <RotateForm
          texts="keys"
          rotate={(overlapSec) => operatorRotateKey({ path: { id: workspaceId }, body: { keep_sec: overlapSec } })}
          onRotated={show}
          onCancel={() => setRotating(false)}
        />
      </Dialog>
    </>
  )
}

type KeyLineProps = {
  /** Time of the newest first key; undefined without one. */
  createdAt: string | undefined
  /** Undefined until it is shown, and null if it cannot be. */
  apiKey: string | null | undefined
  isShown: boolean
  onShow(): void
  onRotate(): void
}

function KeyLine({ createdAt, apiKey, isShown, onShow, onRotate }: KeyLineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const Icon = isShown ? EyeOff : Eye
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between">
        {createdAt === undefined ? (
          <Text>{t('key.none')}</Text>
        ) : (
          <Text size="sm">
            {apiKey != null && <Code mr="sm">{masked(apiKey)}</Code>}
            {t('key.since', { time: format.dateTime(createdAt) })}
          </Text>
        )}
        <Group gap="xs">
          {createdAt !== undefined && (
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
            {createdAt === undefined ? t('key.make') : t('keys.rotate')}
          </Button>
        </Group>
      </Group>
      {apiKey === null && <FormAlert>{t('keys.cannotShow')}</FormAlert>}
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
