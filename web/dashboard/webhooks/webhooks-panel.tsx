import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { guides } from '../components/paths.ts'
import { WebhookCard } from './webhook-card.tsx'
import { SecretHandover, WebhookForm } from './webhook-form.tsx'
import { type WebhookOwner, type WebhookWithSecret, webhooksQuery } from './webhook-requests.ts'

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
