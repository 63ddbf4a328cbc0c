import { Badge, Code, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readNoAnswer } from '../../../src/platform/webhooks/no-answer.ts'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { ApiError } from '../api/api-error.ts'
import { Ago } from '../components/ago.tsx'
import { Loaded } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import type { WebhookDelivery } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { deliveriesQuery, type Webhook, type WebhookOwner, webhookRequests } from './webhook-requests.ts'

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
            columns={[
              { head: t('webhooks.message'), cell: ({ type }) => <Code>{type}</Code> },
              { head: t('webhooks.time'), cell: ({ timestamp }) => <Ago time={timestamp} /> },
              { head: t('webhooks.state'), cell: (delivery) => <State delivery={delivery} /> },
              {
                head: t('webhooks.answer'),
                cell: (delivery) => (delivery.attempts === 0 ? '–' : <Answer delivery={delivery} />),
              },
              {
                head: t('table.actions'),
                isBare: true,
                cell: ({ id, type }) => <Redeliver owner={owner} webhook={webhook} deliveryId={id} type={type} />,
              },
            ]}
            rows={deliveries}
            rowId={({ id }) => id}
          />
        )
      }
    </Loaded>
  )
}

function State({ delivery: { attempts, status, next_attempt_at } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="filled" color={COLOURS[status]}>
        {t(`webhooks.${status}`)}
      </Badge>
      {attempts > 0 && (status !== 'delivered' || attempts > 1) && (
        <Text size="xs" c="dimmed">
          {t('webhooks.attempts', { count: attempts, figure: format.count(attempts) })}
          {next_attempt_at !== null && ` · ${t('webhooks.next', { time: format.dateTime(next_attempt_at) })}`}
        </Text>
      )}
    </Stack>
  )
}

function Answer({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { response_status, response_body, error, duration_ms } = delivery
  const noAnswer = error === null ? undefined : readNoAnswer(error)
  return (
    <Stack gap={4} maw={360}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {noAnswer !== undefined ? (
          t(`webhooks.noAnswer.${noAnswer.reason}`, { value: noAnswer.value })
        ) : (
          <span lang={error === null ? undefined : 'en'}>{error ?? response_status}</span>
        )}
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
    mutationFn: () =>
      webhookRequests[owner.kind].redeliver({ path: { id: owner.id, webhookId: webhook.id, deliveryId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: deliveriesQuery(owner, webhook.id).queryKey }),
  })
  const isForgotten = sending.error instanceof ApiError && sending.error.status === 410
  return (
    <Stack gap={4} align="flex-start">
      <RowButton
        disabled={!webhook.enabled}
        loading={sending.isPending}
        aria-label={t('webhooks.redeliverThis', { type })}
        onClick={() => sending.mutate()}
      >
        {t('webhooks.redeliver')}
      </RowButton>
      {sending.error !== null && (
        <Text size="xs" role="alert">
          {t(isForgotten ? 'webhooks.forgotten' : 'webhooks.redeliverFailed')}
        </Text>
      )}
    </Stack>
  )
}
