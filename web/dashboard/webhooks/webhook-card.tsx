import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, notify } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { useFormat } from '../i18n/format.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookSecret } from './webhook-form.tsx'
import { deliveriesQuery, type Webhook, type WebhookOwner, webhookRequests, webhooksQuery } from './webhook-requests.ts'

type WebhookCardProps = { owner: WebhookOwner; webhook: Webhook }

/** A webhook with its state, its actions and its log. */
export function WebhookCard({ owner, webhook }: WebhookCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const logId = useId()
  const [isOpen, setOpen] = useState(false)
  const { id, url, types, enabled } = webhook
  const requests = webhookRequests[owner.kind]
  const path = { id: owner.id, webhookId: id }
  const testing = useMutation({
    mutationFn: () => requests.test({ path }),
    onSuccess: async () => {
      setOpen(true)
      notify(t('webhooks.testSent'))
      await client.invalidateQueries({ queryKey: deliveriesQuery(owner, id).queryKey })
    },
  })
  const switching = useMutation({
    mutationFn: (): Promise<Webhook> => requests.update({ path, body: { enabled: !enabled } }),
    onSuccess: () => client.invalidateQueries({ queryKey: webhooksQuery(owner).queryKey }),
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
        title={t('webhooks.deleteTitle')}
        confirmLabel={t('webhooks.delete')}
      >
        {t('webhooks.deleteHelp')}
      </ConfirmDialog>
    </>
  )
}
