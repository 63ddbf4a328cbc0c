import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Failure, Loaded, useAction } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { guides } from '../components/paths.ts'
import { useFormat } from '../i18n/format.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { SecretHandover, WebhookForm, WebhookSecret } from './webhook-form.tsx'
import {
  deliveriesQuery,
  type Webhook,
  type WebhookOwner,
  type WebhookWithSecret,
  webhookRequests,
  webhooksQuery,
} from './webhook-requests.ts'

/** The programs that are told of the changes of an event's tracks. */
export function EventWebhooks({ eventId }: { eventId: string }) {
  return <WebhooksPanel owner={{ kind: 'event', id: eventId }} />
}

/** The programs that are told of the changes of a workspace's publications. */
export function WorkspaceWebhooks({ workspaceId }: { workspaceId: string }) {
  return <WebhooksPanel owner={{ kind: 'workspace', id: workspaceId }} />
}

/** The webhooks of an event or workspace. */
function WebhooksPanel({ owner }: { owner: WebhookOwner }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const webhooks = useQuery({ ...webhooksQuery(owner), select: ({ webhooks }) => webhooks })
  const [dialog, setDialog] = useState<'create' | { created: WebhookWithSecret }>()
  const close = () => setDialog(undefined)
  const showSecret = async (created: WebhookWithSecret) => {
    setDialog({ created })
    await client.invalidateQueries({ queryKey: webhooksQuery(owner).queryKey })
  }
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: '1 1 320px' }}>
          <Title order={2} size="h3">
            {t('event.webhooks')}
          </Title>
          <Text c="dimmed" maw={640}>
            {t(owner.kind === 'event' ? 'webhooks.explainEvent' : 'webhooks.explainWorkspace')}{' '}
            <Text
              component="a"
              href={guides.webhooks}
              target="_blank"
              rel="noreferrer"
              c="var(--mantine-color-anchor)"
              td="underline"
            >
              {t('webhooks.guide')}
            </Text>
          </Text>
        </div>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('create')}>
          {t('webhooks.create')}
        </Button>
      </Group>
      <Loaded query={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={WebhookIcon} title={t('webhooks.empty')}>
              {t('webhooks.emptyHelp')}
            </EmptyState>
          ) : (
            <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {list.map((webhook) => (
                <WebhookCard key={webhook.id} owner={owner} webhook={webhook} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Dialog title={t('webhooks.create')} opened={dialog === 'create'} onClose={close}>
        <WebhookForm owner={owner} onCreated={showSecret} onCancel={close} />
      </Dialog>
      <Dialog title={t('webhooks.newSecret')} opened={typeof dialog === 'object'} onClose={close} size="lg">
        {typeof dialog === 'object' && <SecretHandover secret={dialog.created.secret} onDone={close} />}
      </Dialog>
    </Stack>
  )
}

type WebhookCardProps = { owner: WebhookOwner; webhook: Webhook }

/** A webhook with its state, its actions and its log. */
function WebhookCard({ owner, webhook }: WebhookCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const logId = useId()
  const [isOpen, setOpen] = useState(false)
  const { id, url, types, enabled } = webhook
  const requests = webhookRequests[owner.kind]
  const path = { id: owner.id, webhookId: id }
  const testing = useAction({
    action: () => requests.test({ path }),
    onSuccess: () => setOpen(true),
    doneMessage: t('webhooks.testSent'),
    changes: [{ queryKey: deliveriesQuery(owner, id).queryKey }],
  })
  const switching = useAction({
    action: (): Promise<Webhook> => requests.update({ path, body: { enabled: !enabled } }),
    changes: [{ queryKey: webhooksQuery(owner).queryKey }],
  })
  const failure = testing.error ?? switching.error
  return (
    <Paper component="li" withBorder p="md" bg="var(--panel-background)">
      <Stack gap="sm">
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }} miw={0}>
            {url}
          </Text>
          <Badge variant="filled" color={enabled ? 'teal.9' : 'gray.7'}>
            {t(enabled ? 'webhooks.enabled' : 'webhooks.disabled')}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {types === null ? t('webhooks.allTypes') : types.join(', ')}
        </Text>
        {webhook.disabled_reason === 'gone' && <Alert color="orange">{t('webhooks.gone')}</Alert>}
        {webhook.former_secret_ends_at !== null && (
          <Text size="sm">{t('webhooks.formerUntil', { time: format.dateTime(webhook.former_secret_ends_at) })}</Text>
        )}
        <Group gap="xs">
          <RowButton
            aria-expanded={isOpen}
            aria-controls={logId}
            aria-label={t('webhooks.logOf', { url })}
            rightSection={isOpen ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {t('webhooks.log')}
          </RowButton>
          <RowButton
            disabled={!enabled}
            loading={testing.isPending}
            aria-label={t('webhooks.testThis', { url })}
            onClick={() => testing.mutate()}
          >
            {t('webhooks.test')}
          </RowButton>
          <RowButton
            loading={switching.isPending}
            aria-label={t(enabled ? 'webhooks.disableThis' : 'webhooks.enableThis', { url })}
            onClick={() => switching.mutate()}
          >
            {t(enabled ? 'webhooks.disable' : 'webhooks.enable')}
          </RowButton>
          <WebhookSecret owner={owner} webhook={webhook} />
          <WebhookDelete owner={owner} webhook={webhook} />
        </Group>
        {failure !== null && <Failure error={failure} />}
        <div id={logId}>{isOpen && <DeliveryLog owner={owner} webhook={webhook} />}</div>
      </Stack>
    </Paper>
  )
}

/** Deletes a webhook, once that is confirmed. */
function WebhookDelete({ owner, webhook: { id, url } }: WebhookCardProps) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <RowButton aria-label={t('webhooks.deleteThis', { url })} onClick={open}>
        {t('webhooks.delete')}
      </RowButton>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        action={() => webhookRequests[owner.kind].delete({ path: { id: owner.id, webhookId: id } })}
        doneMessage={t('webhooks.deleted')}
        changes={[{ queryKey: webhooksQuery(owner).queryKey }]}
        title={t('action.deleteThis', { name: url })}
        confirmLabel={t('webhooks.delete')}
      >
        {t('webhooks.deleteHelp')}
      </ConfirmDialog>
    </>
  )
}
