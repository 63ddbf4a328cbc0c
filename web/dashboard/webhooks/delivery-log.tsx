import { Badge, Button, Code, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { StackedCell, StackedRow, StackedTable } from '../../ui/stacked-table.tsx'
import { ApiError } from '../api/api-error.ts'
import { queryKeys } from '../api/query-keys.ts'
import { deliveriesQuery, redeliver, type Webhook, type WebhookDelivery, type WebhookOwner } from '../api/webhooks.ts'
import { Ago } from '../components/ago.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { useFormat } from '../i18n/format.ts'

const COLOURS = { pending: 'gray.7', delivered: 'teal.9', failed: 'red.9' } as const

type DeliveryLogProps = { owner: WebhookOwner; webhook: Webhook }

/** The newest deliveries of a webhook, with the outcome of their last attempt. */
export function DeliveryLog({ owner, webhook }: DeliveryLogProps) {
  const { t } = useTranslation()
  const query = useQuery(deliveriesQuery(owner, webhook.id))
  return (
    <Loaded query={query}>
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <Text c="dimmed">{t('webhooks.logEmpty')}</Text>
        ) : (
          <StackedTable
            label={t('webhooks.logOf', { url: webhook.url })}
            heads={[
              t('webhooks.message'),
              t('webhooks.time'),
              t('webhooks.state'),
              t('webhooks.answer'),
              t('table.actions'),
            ]}
          >
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} owner={owner} webhook={webhook} delivery={delivery} />
            ))}
          </StackedTable>
        )
      }
    </Loaded>
  )
}

function DeliveryRow({ owner, webhook, delivery }: DeliveryLogProps & { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const { id, type, status, attempts } = delivery
  return (
    <StackedRow>
      <StackedCell head={t('webhooks.message')}>
        <Code>{type}</Code>
      </StackedCell>
      <StackedCell head={t('webhooks.time')}>
        <Ago time={delivery.timestamp} />
      </StackedCell>
      <StackedCell head={t('webhooks.state')}>
        <Stack gap={4} align="flex-start">
          <Badge variant="filled" color={COLOURS[status]}>
            {t(`webhooks.${status}`)}
          </Badge>
          <Progress delivery={delivery} />
        </Stack>
      </StackedCell>
      <StackedCell head={t('webhooks.answer')}>{attempts === 0 ? '–' : <Answer delivery={delivery} />}</StackedCell>
      <StackedCell>
        <Redeliver owner={owner} webhook={webhook} deliveryId={id} type={type} />
      </StackedCell>
    </StackedRow>
  )
}

function Progress({ delivery: { attempts, status, next_attempt_at } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (attempts === 0 || (status === 'delivered' && attempts === 1)) return null
  return (
    <Text size="xs" c="dimmed">
      {t('webhooks.attempts', { count: attempts, figure: format.count(attempts) })}
      {next_attempt_at !== null && ` · ${t('webhooks.next', { time: format.dateTime(next_attempt_at) })}`}
    </Text>
  )
}

function Answer({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { response_status, response_body, error, duration_ms } = delivery
  return (
    <Stack gap={4} maw={360}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }} lang={error === null ? undefined : 'en'}>
        {error ?? response_status}
        {duration_ms !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            {t('webhooks.duration', { figure: format.count(duration_ms) })}
          </Text>
        )}
      </Text>
      {response_body !== null && response_body !== '' && (
        <Code
          block
          mah={120}
          style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
          tabIndex={0}
        >
          {response_body}
        </Code>
      )}
    </Stack>
  )
}

type RedeliverProps = DeliveryLogProps & { deliveryId: string; type: string }

function Redeliver({ owner, webhook, deliveryId, type }: RedeliverProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: () => redeliver(owner, webhook.id, deliveryId),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.deliveries(owner.id, webhook.id) }),
  })
  const isForgotten = sending.error instanceof ApiError && sending.error.status === 410
  return (
    <Stack gap={4} align="flex-start">
      <Button
        size="xs"
        variant="default"
        disabled={!webhook.enabled}
        loading={sending.isPending}
        aria-label={t('webhooks.redeliverThis', { type })}
        onClick={() => sending.mutate()}
      >
        {t('webhooks.redeliver')}
      </Button>
      {sending.error !== null && (
        <Text size="xs" role="alert">
          {t(isForgotten ? 'webhooks.forgotten' : 'webhooks.redeliverFailed')}
        </Text>
      )}
    </Stack>
  )
}
