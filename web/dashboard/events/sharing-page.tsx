import { Alert, Badge, Button, Code, Group, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Hourglass, Plus, QrCode as QrIcon, Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { shareLinksQuery, sharesQuery } from '../api/queries.ts'
import { useNow } from '../components/ago.tsx'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorGetEventOptions, operatorListSharesQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorRevokeShare } from '../generated/sdk.gen.ts'
import type { Share } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { ShareAddress, ShareCreate } from './share-create.tsx'
import { shareName, shareState } from './share-links.ts'

/** The links that let spectators watch an event or one of its tracks. */
export function SharingPage() {
  const { t } = useTranslation()
  const { eventId } = useParams({ from: routeIds.event })
  const shares = useQuery(sharesQuery(eventId))
  const format = useFormat()
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  const delaySec = event.data?.spectator_delay_sec ?? 0
  const [opened, { open, close }] = useDisclosure()
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('shares.explanation')} {t('shares.onRunnerPages')}{' '}
          {event.isSuccess && delaySec === 0 && t('shares.noDelay')}
        </Text>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          {t('shares.create')}
        </Button>
      </Group>
      {delaySec > 0 && (
        <Alert icon={<Hourglass aria-hidden />} maw={760}>
          {t('shares.delay', { span: format.span(delaySec) })}
        </Alert>
      )}
      <Loaded query={shares}>
        {({ shares: list }) =>
          list.length === 0 ? (
            <EmptyState icon={Share2} title={t('shares.empty')}>
              {t('shares.emptyHelp')}
            </EmptyState>
          ) : (
            <ShareCards eventId={eventId} shares={list} />
          )
        }
      </Loaded>
      <Dialog title={t('shares.create')} opened={opened} onClose={close}>
        <ShareCreate eventId={eventId} onDone={close} />
      </Dialog>
    </Stack>
  )
}

function ShareCards({ eventId, shares }: { eventId: string; shares: Share[] }) {
  const nowMs = useNow(60_000)
  return (
    <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {shares.map((share) => (
        <ShareCard key={share.id} eventId={eventId} share={share} nowMs={nowMs} />
      ))}
    </Stack>
  )
}

const COLOURS = { open: 'teal.9', expired: 'gray.7', revoked: 'red.9' } as const

/** One share link with its state and its actions. */
function ShareCard({ eventId, share, nowMs }: { eventId: string; share: Share; nowMs: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const state = shareState(share, nowMs)
  const name = shareName(share, format.trackName) ?? t('shares.unlabelled')
  return (
    <Paper component="li" withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" align="flex-start">
        <Stack gap={6} flex="1 1 320px" miw={0}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Badge variant="filled" color={COLOURS[state]}>
              {t(`shares.${state}`)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {share.track_id === null
              ? t('shares.showsEvent')
              : t('shares.showsTrack', { title: format.trackName(share.track_title ?? '') })}
            {' · '}
            {share.expires_at === null
              ? t('shares.noEnd')
              : t('shares.until', { time: format.dateTime(share.expires_at) })}
          </Text>
          {state === 'open' && share.masked !== null && <Code style={{ alignSelf: 'flex-start' }}>{share.masked}</Code>}
        </Stack>
        {state === 'open' && (
          <Group gap="xs">
            {share.masked !== null && <Ways eventId={eventId} shareId={share.id} name={name} />}
            <Revoke eventId={eventId} share={share} name={name} />
          </Group>
        )}
      </Group>
    </Paper>
  )
}

type WaysProps = { eventId: string; shareId: string; name: string }

/** Opens the link with its QR code and embed code. */
function Ways({ eventId, shareId, name }: WaysProps) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <RowButton
        leftSection={<QrIcon size={16} aria-hidden />}
        onClick={open}
        aria-label={t('shares.waysOf', { name })}
      >
        {t('shares.ways')}
      </RowButton>
      <Dialog title={name} opened={opened} onClose={close} size="lg">
        <ShownLink eventId={eventId} shareId={shareId} />
      </Dialog>
    </>
  )
}

function ShownLink({ eventId, shareId }: Omit<WaysProps, 'name'>) {
  const query = useQuery(shareLinksQuery(eventId))
  const { trackName } = useFormat()
  return (
    <Loaded query={query}>
      {({ shares }) => {
        const share = shares.find(({ id }) => id === shareId)
        if (share === undefined || share.url === null) return null
        return <ShareAddress eventId={eventId} url={share.url} name={shareName(share, trackName)} />
      }}
    </Loaded>
  )
}

function Revoke({ eventId, share, name }: { eventId: string; share: Share; name: string }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <RowButton onClick={open} aria-label={t('shares.revokeThis', { name })}>
        {t('shares.revoke')}
      </RowButton>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        action={() => operatorRevokeShare({ path: { id: share.id } })}
        doneMessage={t('shares.revokedNow')}
        changes={[{ queryKey: operatorListSharesQueryKey({ path: { id: eventId } }) }]}
        title={t('shares.revokeThis', { name })}
        confirmLabel={t('shares.revoke')}
      >
        {t('shares.revokeHelp')}
      </ConfirmDialog>
    </>
  )
}
