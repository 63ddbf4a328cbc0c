import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow, StackedTable } from '../../../ui/stacked-table.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { type ApiKey, keysQuery, revokeKey, type ShownApiKey, shownKeyQuery } from '../../api/workspaces.ts'
import { Ago } from '../../components/ago.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { useFormat } from '../../i18n/format.ts'
import { KeyHandover } from '../../publications/key-handover.tsx'
import { KeyCreate } from './key-create.tsx'

type OpenDialog = 'create' | { shown: ShownApiKey } | undefined

/** The further keys of a workspace, each with its permissions. */
export function KeysSection({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const keys = useQuery(keysQuery(workspaceId))
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const show = async (shown: ShownApiKey) => {
    setDialog({ shown })
    await client.invalidateQueries({ queryKey: queryKeys.workspaceKeys(workspaceId) })
  }
  const shown = typeof dialog === 'object' ? dialog.shown.api_key : null
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
        <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
          {t('keys.create')}
        </Button>
      </Group>
      <Loaded query={keys}>
        {(found) => <KeyTable workspaceId={workspaceId} keys={found.filter(({ is_first }) => !is_first)} />}
      </Loaded>
      <Dialog title={t('keys.create')} opened={dialog === 'create'} onClose={close}>
        <KeyCreate workspaceId={workspaceId} onCreated={show} onCancel={close} />
      </Dialog>
      <Dialog title={t('keys.new')} opened={typeof dialog === 'object'} onClose={close} size="xl">
        {shown !== null && <KeyHandover apiKey={shown} />}
      </Dialog>
    </Stack>
  )
}

function KeyTable({ workspaceId, keys }: { workspaceId: string; keys: readonly ApiKey[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (keys.length === 0) return <Text>{t('keys.none')}</Text>
  const heads = [
    'key.key',
    'tokens.label',
    'tokens.permissions',
    'tokens.lastUsed',
    'field.expires',
    'table.actions',
  ] as const
  return (
    <StackedTable label={t('keys.title')} heads={heads.map((head) => t(head))}>
      {keys.map((key) => (
        <StackedRow key={key.id}>
          <StackedCell head={t('key.key')}>{key.masked === null ? '–' : <Code>{key.masked}</Code>}</StackedCell>
          <StackedCell head={t('tokens.label')}>{key.label ?? '–'}</StackedCell>
          <StackedCell head={t('tokens.permissions')}>
            <Group gap={4}>
              {key.permissions.map((permission) => (
                <Badge key={permission} variant="default" tt="none">
                  {t(`keys.permission.${permission}`)}
                </Badge>
              ))}
            </Group>
          </StackedCell>
          <StackedCell head={t('tokens.lastUsed')}>
            {key.last_used_at === null ? t('tokens.never') : <Ago time={key.last_used_at} />}
          </StackedCell>
          <StackedCell head={t('field.expires')}>
            {key.expires_at === null ? '–' : format.dateTime(key.expires_at)}
          </StackedCell>
          <StackedCell>
            <KeyActions workspaceId={workspaceId} apiKey={key} />
          </StackedCell>
        </StackedRow>
      ))}
    </StackedTable>
  )
}

/** Shows a key, and revokes it. */
function KeyActions({ workspaceId, apiKey }: { workspaceId: string; apiKey: ApiKey }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'show' | 'revoke'>()
  const close = () => setDialog(undefined)
  const name = apiKey.label ?? apiKey.masked ?? ''
  const revoking = useMutation({
    mutationFn: () => revokeKey(workspaceId, apiKey.id),
    onSuccess: async () => {
      close()
      notify(t('keys.revoked'))
      await client.invalidateQueries({ queryKey: queryKeys.workspaceKeys(workspaceId) })
    },
  })
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" onClick={() => setDialog('show')} aria-label={t('keys.showThis', { name })}>
          {t('tokens.show')}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => setDialog('revoke')}
          aria-label={t('keys.revokeThis', { name })}
        >
          {t('tokens.revoke')}
        </Button>
      </Group>
      <Dialog title={name} opened={dialog === 'show'} onClose={close} size="xl">
        <ShownKey workspaceId={workspaceId} keyId={apiKey.id} />
      </Dialog>
      <ConfirmDialog
        opened={dialog === 'revoke'}
        onClose={close}
        onConfirm={() => revoking.mutate()}
        confirming={revoking}
        title={t('keys.revokeThis', { name })}
        confirmLabel={t('tokens.revoke')}
      >
        {t('keys.revokeHelp')}
      </ConfirmDialog>
    </>
  )
}

function ShownKey({ workspaceId, keyId }: { workspaceId: string; keyId: string }) {
  const { t } = useTranslation()
  const query = useQuery(shownKeyQuery(workspaceId, keyId))
  return (
    <Loaded query={query}>
      {({ api_key }) =>
        api_key === null ? <FormAlert>{t('key.cannotShow')}</FormAlert> : <KeyHandover apiKey={api_key} />
      }
    </Loaded>
  )
}
