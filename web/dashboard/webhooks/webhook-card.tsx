import { Alert, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../api/query-keys.ts'
import { testWebhook, updateWebhook, type Webhook, type WebhookOwner } from '../api/webhooks.ts'
import { Failure } from '../feedback/failure.tsx'
import { notify } from '../feedback/notify.ts'
import { useFormat } from '../i18n/format.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookDelete } from './webhook-delete.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

type WebhookCardProps = { owner: WebhookOwner; webhook: Webhook }

/** A webhook with its state, its actions and its log. */
export function WebhookCard({ owner, webhook }: WebhookCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const logId = useId()
  const [isOpen, setOpen] = useState(false)
  const { id, url, types, enabled } = webhook
  const testing = useMutation({
    mutationFn: () => testWebhook(owner, id),
    onSuccess: async () => {
      setOpen(true)
      notify(t('webhooks.testSent'))
      await client.invalidateQueries({ queryKey: queryKeys.deliveries(owner.id, id) })
    },
  })
  const switching = useMutation({
    mutationFn: () => updateWebhook(owner, id, { enabled: !enabled }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.webhooks(owner.id) }),
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
          <Button
            size="xs"
            variant="default"
            aria-expanded={isOpen}
            aria-controls={logId}
            aria-label={t('webhooks.logOf', { url })}
            rightSection={isOpen ? <ChevronUp size={16} aria-hidden /> : <ChevronDown size={16} aria-hidden />}
            onClick={() => setOpen(!isOpen)}
          >
            {t('webhooks.log')}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!enabled}
            loading={testing.isPending}
            aria-label={t('webhooks.testThis', { url })}
            onClick={() => testing.mutate()}
          >
            {t('webhooks.test')}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={switching.isPending}
            aria-label={t(enabled ? 'webhooks.disableThis' : 'webhooks.enableThis', { url })}
            onClick={() => switching.mutate()}
          >
            {t(enabled ? 'webhooks.disable' : 'webhooks.enable')}
          </Button>
          <WebhookSecret owner={owner} webhook={webhook} />
          <WebhookDelete owner={owner} webhook={webhook} />
        </Group>
        {failure !== null && <Failure error={failure} />}
        <div id={logId}>{isOpen && <DeliveryLog owner={owner} webhook={webhook} />}</div>
      </Stack>
    </Paper>
  )
}
